"""API: jobs and their events."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts.rest import actor_of
from apps.core.errors import InputError
from apps.jobs import selectors, services


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


class JobsView(APIView):
    @extend_schema(responses=JobSerializer(many=True))
    def get(self, request: Request) -> Response:
        """The person's own jobs, newest first."""
        return Response(JobSerializer(selectors.list_jobs(actor=actor_of(request)), many=True).data)


class JobView(APIView):
    @extend_schema(responses=JobSerializer)
    def get(self, request: Request, job_id: UUID) -> Response:
        return Response(JobSerializer(selectors.get_job(actor=actor_of(request), job_id=job_id)).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, job_id: UUID) -> Response:
        """Stop the job."""
        services.cancel(actor=actor_of(request), job_id=job_id)
        return Response(status=204)


class JobEventsView(APIView):
    @extend_schema(parameters=[OpenApiParameter("after", int)], responses=JobEventSerializer(many=True))
    def get(self, request: Request, job_id: UUID) -> Response:
        """Events with a number above `after`, in order."""
        after = request.query_params.get("after", "0")
        if not after.isascii() or not after.isdecimal() or len(after) > 9:
            raise InputError(field="after")
        job = selectors.get_job(actor=actor_of(request), job_id=job_id)
        return Response(JobEventSerializer(selectors.events_after(job_id=job.id, seq=int(after)), many=True).data)
