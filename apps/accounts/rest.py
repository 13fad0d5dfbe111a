"""API sign-in and who-am-I; the token authentication of all API views."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts import door, selectors, services
from apps.accounts.tokens import TokenAuthentication, actor_of
from apps.core.errors import InputError


class _TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # library without types
    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer"}


class SignInSerializer(serializers.Serializer[Any]):
    email = serializers.EmailField(max_length=254)
    password = serializers.CharField(max_length=500, trim_whitespace=False)
    organisation = serializers.SlugField(max_length=60, required=False)
    code = serializers.CharField(max_length=20, required=False, default="", help_text="of the second factor")
    token_label = serializers.CharField(max_length=100, required=False, default="")


class TokenSerializer(serializers.Serializer[Any]):
    token = serializers.CharField()
    organisation = serializers.CharField()
    expires_at = serializers.DateTimeField()


class SignInView(APIView):
    """A token for one organisation, shown once. Needed when the person belongs to several: `organisation`."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    @extend_schema(request=SignInSerializer, responses={201: TokenSerializer})
    def post(self, request: Request) -> Response:
        form = SignInSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        data = form.validated_data
        user = door.authenticate_person(
            request._request, email=data["email"], password=data["password"], code=data["code"]
        )
        organisations = selectors.list_organisations(user_id=user.pk)
        wanted = data.get("organisation")
        chosen = [o for o in organisations if wanted in (None, o.slug)]
        if len(chosen) != 1:
            raise InputError(
                _("Name the organisation: %(choices)s.") % {"choices": ", ".join(o.slug for o in organisations)},
                code="organisation_needed",
                field="organisation",
            )
        token, row = services.issue_token(user_id=user.pk, tenant_id=chosen[0].id, label=data["token_label"])
        services.record_of_person(user_id=user.pk, name=user.name, action="person.signed_in")
        body = {"token": token, "organisation": chosen[0].slug, "expires_at": row.expires_at}
        return Response(TokenSerializer(body).data, status=201)


class CollectionSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(read_only=True)
    name = serializers.CharField(max_length=200)
    description = serializers.CharField(max_length=500, required=False, default="", allow_blank=True)
    is_private = serializers.BooleanField(read_only=True)
    level = serializers.CharField(read_only=True)


class CollectionsView(APIView):
    @extend_schema(responses=CollectionSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Collections open to the person."""
        found = selectors.list_collections(actor=actor_of(request))
        return Response(CollectionSerializer(found, many=True).data)

    @extend_schema(request=CollectionSerializer, responses={201: CollectionSerializer})
    def post(self, request: Request) -> Response:
        """Make a collection (owners and administrators)."""
        form = CollectionSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        actor = actor_of(request)
        collection_id = services.create_collection(actor=actor, **form.validated_data)
        created = selectors.get_collection(actor=actor, collection_id=collection_id)
        return Response(CollectionSerializer(created).data, status=201)


__all__ = ["CollectionsView", "SignInView", "actor_of"]
