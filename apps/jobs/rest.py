"""API: jobs and their events."""

from typing import Any
from uuid import UUID

from django.http import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.api import ApiView, access_of_request, actor_of, list_of, listed
from apps.accounts.contracts import Scope
from apps.core.paging import PieceQuery, limit_of, piece_of_rows, place_of
from apps.jobs import selectors, services
from apps.jobs.streams import EventStreamRenderer, FindJob, after_of, stream_events, wants_stream
from apps.tenants.context import tenant_context

MOST_EVENTS = 500
EVENT_PARAMETERS = [
    OpenApiParameter("after", OpenApiTypes.INT, description="number of the last event that you have"),
    OpenApiParameter("Last-Event-ID", OpenApiTypes.STR, OpenApiParameter.HEADER, description="the same, of a stream"),
]


class JobSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    kind = serializers.CharField()
    state = serializers.CharField()
    subject_id = serializers.UUIDField(allow_null=True)
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    stage = serializers.CharField()
    done = serializers.IntegerField()
    total = serializers.IntegerField()
    last_seq = serializers.IntegerField()
    error_code = serializers.CharField()
    position = serializers.IntegerField(allow_null=True)


class JobEventSerializer(serializers.Serializer[Any]):
    seq = serializers.IntegerField()
    type = serializers.CharField()
    payload = serializers.DictField()
    at = serializers.DateTimeField()


class JobEventListSerializer(serializers.Serializer[Any]):
    items = JobEventSerializer(many=True)
    next = serializers.IntegerField(allow_null=True, help_text="`after` of the next piece, null at the end")


EVENT_RESPONSES = {
    (200, "application/json"): JobEventListSerializer,
    (200, "text/event-stream"): OpenApiResponse(
        OpenApiTypes.STR, description="the events as they happen, then one named `end`"
    ),
}


class JobsView(ApiView):
    scopes = {"GET": Scope.READ}

    @extend_schema(operation_id="jobs_list", parameters=[PieceQuery], responses=list_of(JobSerializer))
    def get(self, request: Request) -> Response:
        """The person's own jobs, newest first."""
        limit = limit_of(request)
        rows = selectors.jobs_after(actor=actor_of(request), limit=limit + 1, after=place_of(request))
        return listed(piece_of_rows(rows, limit, lambda job: (job.created_at, job.id)), JobSerializer)


class JobView(ApiView):
    scopes = {"GET": Scope.READ, "DELETE": Scope.WRITE}

    @extend_schema(responses=JobSerializer)
    def get(self, request: Request, job_id: UUID) -> Response:
        """State of a job."""
        return Response(JobSerializer(selectors.get_job(actor=actor_of(request), job_id=job_id)).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, job_id: UUID) -> Response:
        """Stop the job."""
        services.cancel(actor=actor_of(request), job_id=job_id)
        return Response(status=204)


class JobRetryView(ApiView):
    scopes = {"POST": Scope.WRITE}

    @extend_schema(request=None, responses={202: JobSerializer})
    def post(self, request: Request, job_id: UUID) -> Response:
        """A failed or stopped job waits again."""
        actor = actor_of(request)
        services.retry(actor=actor, job_id=job_id)
        return Response(JobSerializer(selectors.get_job(actor=actor, job_id=job_id)).data, status=202)


class EventsView(ApiView):
    """Events as JSON, or as a stream when the client accepts text/event-stream."""

    scopes = {"GET": Scope.READ}
    manages_context = True  # a stream holds no transaction
    renderer_classes = (JSONRenderer, EventStreamRenderer)

    def answer(self, request: Request, find_job: FindJob) -> HttpResponseBase:
        access, after = access_of_request(request), after_of(request)
        if wants_stream(request):
            return stream_events(access=access, scope=Scope.READ, find_job=find_job, after=after)
        with tenant_context(access.actor.tenant_id):
            job_id = find_job(access.actor)
            events = selectors.events_after(job_id=job_id, seq=after, limit=MOST_EVENTS + 1) if job_id else ()
        items, more = events[:MOST_EVENTS], len(events) > MOST_EVENTS
        body = {"items": items, "next": items[-1].seq if more else None}
        return Response(JobEventListSerializer(body).data)


class JobEventsView(EventsView):
    @extend_schema(parameters=EVENT_PARAMETERS, responses=EVENT_RESPONSES)
    def get(self, request: Request, job_id: UUID) -> HttpResponseBase:
        """Events with a number above `after`, in order; as JSON or as server-sent events."""
        return self.answer(request, lambda actor: selectors.get_job(actor=actor, job_id=job_id).id)
