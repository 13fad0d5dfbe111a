"""API: webhooks (owners and administrators)."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.api import ApiView, actor_of, checked, idempotent, list_of, listed
from apps.accounts.contracts import Scope
from apps.api import selectors, services
from apps.api.contracts import CHOSEN_KINDS, DeliveryState, EventKind
from apps.core.paging import PieceQuery, limit_of, piece_of_all, piece_of_rows, place_of

KINDS = [kind.value for kind in CHOSEN_KINDS]


class WebhookSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(read_only=True)
    url = serializers.CharField(max_length=services.LONGEST_URL)
    kinds = serializers.ListField(child=serializers.ChoiceField(choices=KINDS), min_length=1)
    is_on = serializers.BooleanField(read_only=True)
    failures = serializers.IntegerField(read_only=True)
    disabled_at = serializers.DateTimeField(read_only=True, allow_null=True)
    created_at = serializers.DateTimeField(read_only=True)


class NewWebhookSerializer(WebhookSerializer):
    secret = serializers.CharField(read_only=True, allow_blank=True, help_text="shown this once")


class WebhookChangeSerializer(serializers.Serializer[Any]):
    kinds = serializers.ListField(child=serializers.ChoiceField(choices=KINDS), min_length=1)
    is_on = serializers.BooleanField()


class WebhookSecretSerializer(serializers.Serializer[Any]):
    secret = serializers.CharField(allow_blank=True, help_text="shown this once")


class DeliverySerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(help_text="the header webhook-id")
    kind = serializers.ChoiceField(choices=EventKind.values)
    state = serializers.ChoiceField(choices=DeliveryState.values)
    tries = serializers.IntegerField()
    status = serializers.IntegerField(allow_null=True)
    failure = serializers.CharField(allow_blank=True)
    seconds = serializers.FloatField(allow_null=True)
    body = serializers.DictField()
    created_at = serializers.DateTimeField()
    tried_at = serializers.DateTimeField(allow_null=True)


class WebhooksView(ApiView):
    scopes = {"GET": Scope.MANAGE, "POST": Scope.MANAGE}

    @extend_schema(operation_id="webhooks_list", parameters=[PieceQuery], responses=list_of(WebhookSerializer))
    def get(self, request: Request) -> Response:
        """The organisation's webhooks."""
        found = selectors.list_webhooks(actor=actor_of(request))
        return listed(piece_of_all(request, found, lambda w: (w.created_at.isoformat(), str(w.id))), WebhookSerializer)

    @extend_schema(request=WebhookSerializer, responses={201: NewWebhookSerializer})
    @idempotent("secret")
    def post(self, request: Request) -> Response:
        """Add a webhook. The answer holds the secret of its signatures, this once."""
        actor, data = actor_of(request), checked(WebhookSerializer, request)
        kinds = [EventKind(kind) for kind in data["kinds"]]
        webhook_id, secret = services.add_webhook(actor=actor, url=data["url"], kinds=kinds)
        made = selectors.get_webhook(actor=actor, webhook_id=webhook_id)
        return Response({**WebhookSerializer(made).data, "secret": secret}, status=201)


class WebhookView(ApiView):
    scopes = {"GET": Scope.MANAGE, "PUT": Scope.MANAGE, "DELETE": Scope.MANAGE}

    @extend_schema(responses=WebhookSerializer)
    def get(self, request: Request, webhook_id: UUID) -> Response:
        """A webhook."""
        return Response(WebhookSerializer(selectors.get_webhook(actor=actor_of(request), webhook_id=webhook_id)).data)

    @extend_schema(request=WebhookChangeSerializer, responses=WebhookSerializer)
    def put(self, request: Request, webhook_id: UUID) -> Response:
        """Choose its events, switch it on or off."""
        actor = actor_of(request)
        selectors.get_webhook(actor=actor, webhook_id=webhook_id)
        data = checked(WebhookChangeSerializer, request)
        kinds = [EventKind(kind) for kind in data["kinds"]]
        services.change_webhook(actor=actor, webhook_id=webhook_id, kinds=kinds, is_on=data["is_on"])
        return Response(WebhookSerializer(selectors.get_webhook(actor=actor, webhook_id=webhook_id)).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, webhook_id: UUID) -> Response:
        """The webhook, its secret and its log are gone."""
        services.remove_webhook(actor=actor_of(request), webhook_id=webhook_id)
        return Response(status=204)


class WebhookSecretView(ApiView):
    scopes = {"POST": Scope.MANAGE}

    @extend_schema(request=None, responses={201: WebhookSecretSerializer})
    @idempotent("secret")
    def post(self, request: Request, webhook_id: UUID) -> Response:
        """A fresh secret; the old one signs nothing from now on."""
        return Response({"secret": services.renew_secret(actor=actor_of(request), webhook_id=webhook_id)}, status=201)


class DeliveryIdSerializer(serializers.Serializer[Any]):
    delivery_id = serializers.UUIDField()


class WebhookTrialView(ApiView):
    scopes = {"POST": Scope.MANAGE}

    @extend_schema(request=None, responses={202: DeliveryIdSerializer})
    def post(self, request: Request, webhook_id: UUID) -> Response:
        """Send a `ping`, signed like any event."""
        delivery_id = services.try_webhook(actor=actor_of(request), webhook_id=webhook_id)
        return Response({"delivery_id": str(delivery_id)}, status=202)


class DeliveriesView(ApiView):
    scopes = {"GET": Scope.MANAGE}

    @extend_schema(operation_id="deliveries_list", parameters=[PieceQuery], responses=list_of(DeliverySerializer))
    def get(self, request: Request, webhook_id: UUID) -> Response:
        """What became of each event, newest first."""
        limit = limit_of(request)
        rows = selectors.deliveries_after(
            actor=actor_of(request), webhook_id=webhook_id, limit=limit + 1, after=place_of(request)
        )
        return listed(piece_of_rows(rows, limit, lambda d: (d.created_at, d.id)), DeliverySerializer)


class ResendView(ApiView):
    scopes = {"POST": Scope.MANAGE}

    @extend_schema(request=None, responses={202: None})
    def post(self, request: Request, webhook_id: UUID, delivery_id: UUID) -> Response:
        """The same event goes out again, with the same id."""
        services.resend(actor=actor_of(request), webhook_id=webhook_id, delivery_id=delivery_id)
        return Response(status=202)
