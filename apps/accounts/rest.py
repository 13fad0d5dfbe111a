"""API: sign-in, who I am, tokens, collections and who reaches them. People and oversight: people_rest.py."""

from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts import api_tokens, door, groups, selectors, services
from apps.accounts.api import ApiView, access_of_request, checked, idempotent, list_of, listed
from apps.accounts.contracts import GrantLevel, Scope
from apps.accounts.tokens import TokenAuthentication, actor_of
from apps.core.errors import InputError
from apps.core.paging import PieceQuery, piece_of_all

LONGEST_LIFE_DAYS = 3650


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
    scopes = serializers.ListField(
        child=serializers.ChoiceField(choices=Scope.values), required=False, min_length=1, help_text="all when left out"
    )


class TokenSerializer(serializers.Serializer[Any]):
    token = serializers.CharField()
    organisation = serializers.CharField()
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=Scope.values))
    expires_at = serializers.DateTimeField()


class SignInView(ApiView):
    """A token for one organisation, shown once. Needed when the person belongs to several: `organisation`."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    @extend_schema(request=SignInSerializer, responses={201: TokenSerializer}, auth=[])
    def post(self, request: Request) -> Response:
        """Sign in with e-mail and password for a token of one organisation."""
        data = checked(SignInSerializer, request)
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
        scopes = [Scope(scope) for scope in data.get("scopes", Scope.values)]
        token, row = services.issue_token(
            user_id=user.pk, tenant_id=chosen[0].id, label=data["token_label"], scopes=scopes
        )
        services.record_of_person(user_id=user.pk, name=user.name, action="person.signed_in")
        body = {
            "token": token,
            "organisation": chosen[0].slug,
            "scopes": row.scopes,
            "expires_at": row.expires_at,
        }
        return Response(TokenSerializer(body).data, status=201)


class MeSerializer(serializers.Serializer[Any]):
    user_id = serializers.UUIDField()
    name = serializers.CharField()
    role = serializers.CharField()
    organisation = serializers.CharField()
    token_id = serializers.UUIDField()
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=Scope.values))
    expires_at = serializers.DateTimeField()


class MeView(ApiView):
    scopes = {"GET": Scope.READ}

    @extend_schema(responses=MeSerializer)
    def get(self, request: Request) -> Response:
        """Who acts through this token, where, and how far."""
        access = access_of_request(request)
        actor = access.actor
        body = {
            "user_id": actor.user_id,
            "name": actor.name,
            "role": actor.role.value,
            "organisation": actor.tenant_slug,
            "token_id": access.token_id,
            "scopes": [scope.value for scope in Scope if scope in access.scopes],
            "expires_at": access.expires_at,
        }
        return Response(MeSerializer(body).data)


class OwnTokenSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(read_only=True)
    label = serializers.CharField(max_length=100)  # type: ignore[assignment]  # a field of the object
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=Scope.values), min_length=1)
    days = serializers.IntegerField(write_only=True, min_value=1, max_value=LONGEST_LIFE_DAYS)
    created_at = serializers.DateTimeField(read_only=True)
    expires_at = serializers.DateTimeField(read_only=True)
    last_used_at = serializers.DateTimeField(read_only=True, allow_null=True)
    is_expired = serializers.BooleanField(read_only=True)


class NewTokenSerializer(OwnTokenSerializer):
    token = serializers.CharField(read_only=True, allow_blank=True, help_text="shown this once")


class TokensView(ApiView):
    scopes = {"GET": Scope.MANAGE, "POST": Scope.MANAGE}

    @extend_schema(operation_id="tokens_list", parameters=[PieceQuery], responses=list_of(OwnTokenSerializer))
    def get(self, request: Request) -> Response:
        """The own tokens in this organisation, without their text."""
        actor = actor_of(request)
        found = selectors.list_tokens(user_id=actor.user_id, tenant_id=actor.tenant_id)
        return listed(piece_of_all(request, found, lambda t: (t.created_at.isoformat(), str(t.id))), OwnTokenSerializer)

    @extend_schema(request=OwnTokenSerializer, responses={201: NewTokenSerializer})
    @idempotent("token")
    def post(self, request: Request) -> Response:
        """Make a token: it may do no more than the one that asks, and lives no longer."""
        data = checked(OwnTokenSerializer, request)
        token, made = api_tokens.make_token(
            actor=actor_of(request),
            label=data["label"],
            scopes=[Scope(scope) for scope in data["scopes"]],
            days=data["days"],
            through=access_of_request(request),
        )
        return Response({**OwnTokenSerializer(made).data, "token": token}, status=201)


class OwnTokenView(ApiView):
    scopes = {"DELETE": Scope.MANAGE}

    @extend_schema(responses={204: None})
    def delete(self, request: Request, token_id: UUID) -> Response:
        """Revoke an own token: it is dead at once, its streams end."""
        api_tokens.revoke_token(actor=actor_of(request), token_id=token_id)
        return Response(status=204)


class CollectionSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(read_only=True)
    name = serializers.CharField(max_length=200)
    description = serializers.CharField(max_length=500, required=False, default="", allow_blank=True)
    is_private = serializers.BooleanField(read_only=True)
    level = serializers.CharField(read_only=True)


class CollectionsView(ApiView):
    scopes = {"GET": Scope.READ, "POST": Scope.MANAGE}

    @extend_schema(operation_id="collections_list", parameters=[PieceQuery], responses=list_of(CollectionSerializer))
    def get(self, request: Request) -> Response:
        """Collections open to the person, by name."""
        found = selectors.list_collections(actor=actor_of(request))
        return listed(piece_of_all(request, found, lambda c: (c.name.casefold(), str(c.id))), CollectionSerializer)

    @extend_schema(request=CollectionSerializer, responses={201: CollectionSerializer})
    @idempotent()
    def post(self, request: Request) -> Response:
        """Make a collection (owners and administrators)."""
        actor = actor_of(request)
        collection_id = services.create_collection(actor=actor, **checked(CollectionSerializer, request))
        created = selectors.get_collection(actor=actor, collection_id=collection_id)
        return Response(CollectionSerializer(created).data, status=201)


class CollectionView(ApiView):
    scopes = {"GET": Scope.READ}

    @extend_schema(responses=CollectionSerializer)
    def get(self, request: Request, collection_id: UUID) -> Response:
        """A collection, and what the person may do with it."""
        found = selectors.get_collection(actor=actor_of(request), collection_id=collection_id)
        return Response(CollectionSerializer(found).data)


class GrantSerializer(serializers.Serializer[Any]):
    user_id = serializers.UUIDField(required=False, allow_null=True)
    group_id = serializers.UUIDField(required=False, allow_null=True)
    name = serializers.CharField(read_only=True)
    level = serializers.ChoiceField(choices=GrantLevel.values)


class GrantChangeSerializer(serializers.Serializer[Any]):
    user_id = serializers.UUIDField(required=False)
    group_id = serializers.UUIDField(required=False)
    level = serializers.ChoiceField(choices=GrantLevel.values, allow_null=True, help_text="null takes it away")


class GrantsView(ApiView):
    scopes = {"GET": Scope.MANAGE, "PUT": Scope.MANAGE}

    @extend_schema(operation_id="grants_list", parameters=[PieceQuery], responses=list_of(GrantSerializer))
    def get(self, request: Request, collection_id: UUID) -> Response:
        """Who reaches the collection: people and groups (who manages it)."""
        actor = actor_of(request)
        people = selectors.list_grants(actor=actor, collection_id=collection_id)
        held = selectors.list_group_grants(actor=actor, collection_id=collection_id)
        lines = [{"user_id": g.user_id, "group_id": None, "name": g.name, "level": g.level} for g in people]
        lines += [{"user_id": None, "group_id": g.group_id, "name": g.name, "level": g.level} for g in held]
        return listed(piece_of_all(request, lines, _grant_key), GrantSerializer)

    @extend_schema(request=GrantChangeSerializer, responses={204: None})
    def put(self, request: Request, collection_id: UUID) -> Response:
        """One person or one group has exactly this level; null takes it away."""
        selectors.get_collection(actor=actor_of(request), collection_id=collection_id)
        data = checked(GrantChangeSerializer, request)
        actor, user_id, group_id = actor_of(request), data.get("user_id"), data.get("group_id")
        level = GrantLevel(data["level"]) if data["level"] else None
        if (user_id is None) == (group_id is None):
            raise InputError(_("Give a person or a group, not both."), field="user_id")
        if group_id is not None:
            groups.grant_to_group(actor=actor, collection_id=collection_id, group_id=group_id, level=level)
        elif level is None:
            services.revoke_access(actor=actor, collection_id=collection_id, user_id=data["user_id"])
        else:
            services.grant_access(actor=actor, collection_id=collection_id, user_id=data["user_id"], level=level)
        return Response(status=204)


def _grant_key(line: dict[str, Any]) -> tuple[str, ...]:
    return str(line["name"]).casefold(), str(line["user_id"] or line["group_id"])


__all__ = ["CollectionsView", "SignInView", "actor_of"]
