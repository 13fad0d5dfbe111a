"""API: questions, answers and their events."""

from typing import Any
from uuid import UUID

from django.http import HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.api import ApiView, actor_of, checked, idempotent, list_of, listed
from apps.accounts.contracts import Scope
from apps.chat import listing, selectors, services
from apps.chat.contracts import FeedbackKind
from apps.core.paging import PieceQuery, limit_of, piece_of_rows, place_of
from apps.jobs.rest import EVENT_PARAMETERS, EVENT_RESPONSES, EventsView


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
    job_id = serializers.UUIDField(allow_null=True)  # null while it waits behind an earlier question


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
    superseded = serializers.BooleanField(help_text="a newer version of the document is what answers use now")


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


class FeedbackSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=FeedbackKind.values)
    comment = serializers.CharField(required=False, default="", allow_blank=True, max_length=services.LONGEST_COMMENT)


class ScopeSerializer(serializers.Serializer[Any]):
    collection_ids = serializers.ListField(child=serializers.UUIDField(), max_length=200)
    document_ids = serializers.ListField(child=serializers.UUIDField(), max_length=1000)


class ConversationSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    title = serializers.CharField()
    updated_at = serializers.DateTimeField()
    message_count = serializers.IntegerField()
    scope = ScopeSerializer()


class ConversationDetailSerializer(ConversationSerializer):
    questions = AnswerSerializer(many=True)


class ConversationChangeSerializer(serializers.Serializer[Any]):
    title = serializers.CharField(required=False, max_length=services.LONGEST_TITLE)
    scope = ScopeSerializer(required=False)


class QuestionsView(ApiView):
    scopes = {"POST": Scope.ASK}

    @extend_schema(request=AskSerializer, responses={202: AskedSerializer})
    @idempotent()
    def post(self, request: Request) -> Response:
        """Ask. `Idempotency-Key` (header, or `idempotency_key`) makes repeating safe: one key, one question."""
        data = checked(AskSerializer, request)
        result = services.ask(
            actor=actor_of(request),
            question=data["question"],
            conversation_id=data.get("conversation_id"),
            collection_ids=data.get("collection_ids", ()),
            document_ids=data.get("document_ids", ()),
            language=data.get("language", ""),
            idempotency_key=data.get("idempotency_key", ""),
        )
        return Response(AskedSerializer(result).data, status=202)


class QuestionView(ApiView):
    scopes = {"GET": Scope.READ, "DELETE": Scope.ASK}

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


class QuestionRetryView(ApiView):
    scopes = {"POST": Scope.ASK}

    @extend_schema(request=None, responses={202: None})
    def post(self, request: Request, question_id: UUID) -> Response:
        """An answer that failed or was stopped runs again."""
        services.retry(actor=actor_of(request), message_id=question_id)
        return Response(status=202)


class FeedbackView(ApiView):
    scopes = {"PUT": Scope.ASK}

    @extend_schema(request=FeedbackSerializer, responses={204: None})
    def put(self, request: Request, question_id: UUID) -> Response:
        """Say what you think of the answer; the last word counts."""
        actor = actor_of(request)
        selectors.get_message(actor=actor, message_id=question_id)
        services.give_feedback(actor=actor, message_id=question_id, **checked(FeedbackSerializer, request))
        return Response(status=204)


class QuestionEventsView(EventsView):
    @extend_schema(parameters=EVENT_PARAMETERS, responses=EVENT_RESPONSES)
    def get(self, request: Request, question_id: UUID) -> HttpResponseBase:
        """Events of the answer with a number above `after`, in order; as JSON or as server-sent events."""
        return self.answer(request, lambda actor: selectors.get_message(actor=actor, message_id=question_id).job_id)


class ConversationsView(ApiView):
    scopes = {"GET": Scope.READ}

    @extend_schema(
        operation_id="conversations_list", parameters=[PieceQuery], responses=list_of(ConversationSerializer)
    )
    def get(self, request: Request) -> Response:
        """The own conversations, the latest first."""
        limit = limit_of(request)
        rows = listing.conversations_after(actor=actor_of(request), limit=limit + 1, after=place_of(request))
        return listed(piece_of_rows(rows, limit, lambda c: (c.updated_at, c.id)), ConversationSerializer)


class ConversationView(ApiView):
    scopes = {"GET": Scope.READ, "PATCH": Scope.ASK, "DELETE": Scope.ASK}

    @extend_schema(responses=ConversationDetailSerializer)
    def get(self, request: Request, conversation_id: UUID) -> Response:
        """An own conversation with its questions and answers."""
        found = selectors.get_conversation(actor=actor_of(request), conversation_id=conversation_id)
        answers = [selectors.answer_object(message) for message in found.messages]
        body = {**ConversationSerializer(found.summary).data, "questions": AnswerSerializer(answers, many=True).data}
        return Response(body)

    @extend_schema(request=ConversationChangeSerializer, responses={204: None})
    def patch(self, request: Request, conversation_id: UUID) -> Response:
        """Rename, or narrow what later questions search."""
        actor = actor_of(request)
        services.own_conversation(actor, conversation_id)
        data = checked(ConversationChangeSerializer, request)
        if "title" in data:
            services.rename_conversation(actor=actor, conversation_id=conversation_id, title=data["title"])
        if "scope" in data:
            services.set_scope(actor=actor, conversation_id=conversation_id, **data["scope"])
        return Response(status=204)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, conversation_id: UUID) -> Response:
        """The conversation and its answers are gone; open answers stop."""
        services.delete_conversation(actor=actor_of(request), conversation_id=conversation_id)
        return Response(status=204)
