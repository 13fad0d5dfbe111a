"""API: questions, answers and their events."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts.rest import actor_of
from apps.chat import selectors, services
from apps.core.errors import InputError
from apps.jobs.rest import JobEventSerializer
from apps.jobs.selectors import events_after


class AskSerializer(serializers.Serializer[Any]):
    question = serializers.CharField(allow_blank=True, max_length=services.LONGEST_QUESTION)
    conversation_id = serializers.UUIDField(required=False, allow_null=True)
    collection_ids = serializers.ListField(child=serializers.UUIDField(), required=False, max_length=200)
    document_ids = serializers.ListField(child=serializers.UUIDField(), required=False, max_length=1000)
    language = serializers.ChoiceField(choices=["en", "tr"], required=False)
    idempotency_key = serializers.CharField(required=False, allow_blank=True, max_length=200)


class AskedSerializer(serializers.Serializer[Any]):
    question_id = serializers.UUIDField(source="message_id")
    conversation_id = serializers.UUIDField()
    job_id = serializers.UUIDField()


class CitationSerializer(serializers.Serializer[Any]):
    document = serializers.CharField()
    document_id = serializers.UUIDField()
    version = serializers.UUIDField()
    page = serializers.IntegerField()
    label = serializers.CharField()  # type: ignore[assignment]  # a field of the object, not the serializer's
    anchor = serializers.CharField()
    quote = serializers.CharField()
    boxes = serializers.ListField(child=serializers.ListField(child=serializers.FloatField()))
    deleted = serializers.BooleanField()


class NumberSerializer(serializers.Serializer[Any]):
    text = serializers.CharField()
    value = serializers.CharField()
    unit = serializers.CharField()
    verified = serializers.BooleanField()
    source = serializers.CharField()  # type: ignore[assignment]  # as above


class StatementSerializer(serializers.Serializer[Any]):
    text = serializers.CharField()
    kind = serializers.CharField()
    verdict = serializers.CharField()
    marked_low_confidence = serializers.BooleanField()
    citations = CitationSerializer(many=True)
    numbers = NumberSerializer(many=True)


class AnswerSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    question = serializers.CharField()
    state = serializers.CharField()
    answer = serializers.CharField()
    statements = StatementSerializer(many=True)
    missing = serializers.ListField(child=serializers.CharField())
    searched = serializers.ListField(child=serializers.DictField())
    engine = serializers.CharField()
    seconds = serializers.FloatField()


class QuestionsView(APIView):
    @extend_schema(request=AskSerializer, responses={202: AskedSerializer})
    def post(self, request: Request) -> Response:
        """Ask. `Idempotency-Key` (header or body) makes repeating safe: the same key gives the same question."""
        asked = AskSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        data = asked.validated_data
        result = services.ask(
            actor=actor_of(request),
            question=data["question"],
            conversation_id=data.get("conversation_id"),
            collection_ids=data.get("collection_ids", ()),
            document_ids=data.get("document_ids", ()),
            language=data.get("language", ""),
            idempotency_key=data.get("idempotency_key") or request.headers.get("Idempotency-Key", "")[:200],
        )
        return Response(AskedSerializer(result).data, status=202)


class QuestionView(APIView):
    @extend_schema(responses=AnswerSerializer)
    def get(self, request: Request, question_id: UUID) -> Response:
        """The answer so far; `state` is waiting or running until it is over."""
        message = selectors.get_message(actor=actor_of(request), message_id=question_id)
        return Response(AnswerSerializer(selectors.answer_object(message)).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, question_id: UUID) -> Response:
        """Stop the answer."""
        services.stop(actor=actor_of(request), message_id=question_id)
        return Response(status=204)


class QuestionEventsView(APIView):
    @extend_schema(parameters=[OpenApiParameter("after", int)], responses=JobEventSerializer(many=True))
    def get(self, request: Request, question_id: UUID) -> Response:
        """Events of the answer with a number above `after`, in order."""
        after = request.query_params.get("after", "0")
        if not after.isascii() or not after.isdecimal() or len(after) > 9:
            raise InputError(field="after")
        message = selectors.get_message(actor=actor_of(request), message_id=question_id)
        events = events_after(job_id=message.job_id, seq=int(after)) if message.job_id else ()
        return Response(JobEventSerializer(events, many=True).data)
