"""API: whether, and where, questions may be sent (owners and administrators)."""

from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.api import ApiView, actor_of, checked, idempotent, list_of
from apps.accounts.contracts import Actor, Scope
from apps.core.errors import InputError
from apps.core.paging import PieceQuery, piece_of_all
from apps.providers import selectors, services


class ModelProfileSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(read_only=True)
    name = serializers.CharField(max_length=80)
    base_url = serializers.CharField(max_length=300)
    model = serializers.CharField(max_length=120)
    api_key = serializers.CharField(max_length=500, write_only=True, required=False, default="", allow_blank=True)
    has_key = serializers.BooleanField(read_only=True)
    is_private = serializers.BooleanField(read_only=True, help_text="the server stands in the operator's own network")
    tested_at = serializers.DateTimeField(read_only=True, allow_null=True)
    test_failure = serializers.CharField(read_only=True, allow_blank=True)
    test_seconds = serializers.FloatField(read_only=True, allow_null=True)


class ModelPolicySerializer(serializers.Serializer[Any]):
    is_on = serializers.BooleanField()
    uses_installation = serializers.BooleanField(default=False)
    understood = serializers.BooleanField(
        write_only=True, default=False, help_text="needed to switch on: questions and passages will be sent"
    )
    installation_model = serializers.CharField(read_only=True, allow_blank=True)
    installation_host = serializers.CharField(read_only=True, allow_blank=True)
    changed_at = serializers.DateTimeField(read_only=True, allow_null=True)


class ModelTrialSerializer(serializers.Serializer[Any]):
    failure = serializers.CharField(allow_blank=True, help_text="empty when it answered")
    model = serializers.CharField(allow_blank=True)
    seconds = serializers.FloatField()


class ModelsView(ApiView):
    scopes = {"GET": Scope.MANAGE, "POST": Scope.MANAGE}

    @extend_schema(operation_id="models_list", parameters=[PieceQuery], responses=list_of(ModelProfileSerializer))
    def get(self, request: Request) -> Response:
        """The organisation's own models, in the order in which they are tried."""
        profiles = enumerate(selectors.model_profiles(actor=actor_of(request)))
        piece = piece_of_all(request, profiles, lambda pair: (f"{pair[0]:04d}",))
        items = [profile for _place, profile in piece.items]
        return Response({"items": ModelProfileSerializer(items, many=True).data, "next": piece.next})

    @extend_schema(request=ModelProfileSerializer, responses={201: ModelProfileSerializer})
    @idempotent()
    def post(self, request: Request) -> Response:
        """Add a model; nothing is sent to it before sending is switched on."""
        actor = actor_of(request)
        profile_id = services.add_profile(actor=actor, **checked(ModelProfileSerializer, request))
        made = next(p for p in selectors.model_profiles(actor=actor) if p.id == profile_id)
        return Response(ModelProfileSerializer(made).data, status=201)


class ModelView(ApiView):
    scopes = {"DELETE": Scope.MANAGE}

    @extend_schema(responses={204: None})
    def delete(self, request: Request, profile_id: UUID) -> Response:
        """The model and its key are gone."""
        services.remove_profile(actor=actor_of(request), profile_id=profile_id)
        return Response(status=204)


class ModelTrialView(ApiView):
    scopes = {"POST": Scope.MANAGE}
    manages_context = True  # the model may take seconds

    @extend_schema(request=None, responses=ModelTrialSerializer)
    def post(self, request: Request, profile_id: UUID) -> Response:
        """Ask the model for one word; nothing of the organisation is sent."""
        trial = services.try_profile(actor=actor_of(request), profile_id=profile_id)
        return Response(ModelTrialSerializer(trial).data)


class InstallationTrialView(ApiView):
    scopes = {"POST": Scope.MANAGE}
    manages_context = True  # the model may take seconds

    @extend_schema(request=None, responses=ModelTrialSerializer)
    def post(self, request: Request) -> Response:
        """The same with the installation's model."""
        trial = services.try_profile(actor=actor_of(request), profile_id=None)
        return Response(ModelTrialSerializer(trial).data)


class ModelPolicyView(ApiView):
    scopes = {"GET": Scope.MANAGE, "PUT": Scope.MANAGE}

    @extend_schema(responses=ModelPolicySerializer)
    def get(self, request: Request) -> Response:
        """Whether questions may be sent."""
        return Response(_policy(actor_of(request)))

    @extend_schema(request=ModelPolicySerializer, responses=ModelPolicySerializer)
    def put(self, request: Request) -> Response:
        """Switch sending on (with `understood`) or off; audited."""
        actor, data = actor_of(request), checked(ModelPolicySerializer, request)
        if data["is_on"] and not data["understood"]:
            raise InputError(_("Confirm that you have read what is sent, then switch it on."), field="understood")
        services.switch_models(actor=actor, is_on=data["is_on"], uses_installation=data["uses_installation"])
        return Response(_policy(actor))


def _policy(actor: Actor) -> dict[str, Any]:
    return dict(ModelPolicySerializer(selectors.model_policy(actor=actor)).data)
