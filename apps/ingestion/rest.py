"""API: loads of many files, and reading a collection again. Addresses are given in apps/api."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.api import ApiView, actor_of, checked, list_of, listed
from apps.accounts.contracts import Actor, Scope
from apps.core.errors import InputError
from apps.core.paging import PieceQuery, piece_of_all
from apps.documents.contracts import OnSameName
from apps.ingestion import batches, rereading, selectors
from apps.ingestion.contracts import TAKEN, AnnouncedFile, DeadLetter
from apps.ingestion.models import LONGEST_PATH
from apps.ingestion.reasons import reason_of
from apps.ingestion.views import MOST_FILES
from apps.tenants.context import tenant_context


class BatchSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    collection_id = serializers.UUIDField()
    created_at = serializers.DateTimeField()
    created_by_name = serializers.CharField()
    is_paused = serializers.BooleanField()


class DeadLetterSerializer(serializers.Serializer[Any]):
    path = serializers.CharField()
    code = serializers.CharField()
    reason = serializers.SerializerMethodField()
    document_id = serializers.UUIDField(allow_null=True)
    may_retry = serializers.BooleanField()

    def get_reason(self, letter: DeadLetter) -> str:
        return reason_of(letter.code)


class ProgressSerializer(serializers.Serializer[Any]):
    batch = BatchSerializer(source="summary")
    files = serializers.IntegerField()
    announced = serializers.IntegerField(help_text="their bytes have not come yet")
    waiting = serializers.IntegerField()
    reading = serializers.IntegerField()
    done = serializers.IntegerField(help_text="searchable")
    known = serializers.IntegerField(help_text="the collection held these bytes already")
    failed = serializers.IntegerField()
    gone = serializers.IntegerField(help_text="deleted or in the bin since")
    pages = serializers.IntegerField()
    files_per_minute = serializers.FloatField()
    pages_per_second = serializers.FloatField()
    seconds_left = serializers.IntegerField(allow_null=True)
    finish_at = serializers.DateTimeField(allow_null=True)
    is_measured = serializers.BooleanField(help_text="false: estimated from sizes alone")
    is_over = serializers.BooleanField()
    dead = DeadLetterSerializer(many=True, help_text="the first of the failed, with the reason")


class AnnouncedSerializer(serializers.Serializer[Any]):
    path = serializers.CharField(max_length=LONGEST_PATH)
    size = serializers.IntegerField(min_value=0)


class NewBatchSerializer(serializers.Serializer[Any]):
    collection_id = serializers.UUIDField()
    name = serializers.CharField(max_length=200)
    files = AnnouncedSerializer(many=True)

    def validate_files(self, files: list[dict[str, Any]]) -> list[dict[str, Any]]:
        if not 0 < len(files) <= MOST_FILES:
            raise serializers.ValidationError(f"1 to {MOST_FILES} files")
        return files


class BringSerializer(serializers.Serializer[Any]):
    path = serializers.CharField(max_length=LONGEST_PATH)
    file = serializers.FileField(allow_empty_file=True)
    same_name = serializers.ChoiceField(
        choices=[OnSameName.KEEP_BOTH.value, OnSameName.NEW_VERSION.value], default=OnSameName.KEEP_BOTH.value
    )


class OutcomeSerializer(serializers.Serializer[Any]):
    outcome = serializers.CharField(help_text="taken, known, or the code of a refusal")


class RereadSerializer(serializers.Serializer[Any]):
    documents = serializers.IntegerField()


class BatchesView(ApiView):
    scopes = {"GET": Scope.READ, "POST": Scope.WRITE}

    @extend_schema(operation_id="batches_list", parameters=[PieceQuery], responses=list_of(BatchSerializer))
    def get(self, request: Request) -> Response:
        """Loads of collections that the person may read, newest first."""
        found = selectors.list_batches(actor=actor_of(request))
        newest = {row.id: place for place, row in enumerate(found)}
        return listed(piece_of_all(request, found, lambda row: (f"{newest[row.id]:08d}",)), BatchSerializer)

    @extend_schema(request=NewBatchSerializer, responses={201: ProgressSerializer})
    def post(self, request: Request) -> Response:
        """Announce the files of a load; then send each to its `files/`."""
        actor, data = actor_of(request), checked(NewBatchSerializer, request)
        batch_id = batches.begin(actor=actor, collection_id=data["collection_id"], name=data["name"])
        files = [AnnouncedFile(file["path"], file["size"]) for file in data["files"]]
        batches.announce(actor=actor, batch_id=batch_id, files=files)
        return Response(_progress(actor, batch_id), status=201)


class BatchView(ApiView):
    scopes = {"GET": Scope.READ}

    @extend_schema(responses=ProgressSerializer)
    def get(self, request: Request, batch_id: UUID) -> Response:
        """How far the load is, how fast, until when, and what failed."""
        return Response(_progress(actor_of(request), batch_id))


class BatchFilesView(ApiView):
    scopes = {"POST": Scope.WRITE}
    manages_context = True  # bytes arrive without a transaction
    parser_classes = [MultiPartParser]

    @extend_schema(
        request={"multipart/form-data": BringSerializer}, responses={201: OutcomeSerializer, 200: OutcomeSerializer}
    )
    def post(self, request: Request, batch_id: UUID) -> Response:
        """Send one file of the load. It is read when nobody waits."""
        actor = actor_of(request)
        with tenant_context(actor.tenant_id):
            batches.own_batch(actor, batch_id)
        form = BringSerializer(data=request.data)
        if not form.is_valid():
            raise InputError(field=next(iter(form.errors)))
        data = form.validated_data
        outcome = batches.bring(
            actor=actor,
            batch_id=batch_id,
            path=data["path"],
            chunks=data["file"].chunks(),
            on_same_name=OnSameName(data["same_name"]),
        )
        return Response({"outcome": outcome}, status=201 if outcome == TAKEN else 200)


class PauseView(ApiView):
    scopes = {"POST": Scope.WRITE}

    @extend_schema(request=None, responses=ProgressSerializer)
    def post(self, request: Request, batch_id: UUID) -> Response:
        """Nothing more of the load begins."""
        batches.pause(actor=actor_of(request), batch_id=batch_id)
        return Response(_progress(actor_of(request), batch_id))


class ResumeView(ApiView):
    scopes = {"POST": Scope.WRITE}

    @extend_schema(request=None, responses=ProgressSerializer)
    def post(self, request: Request, batch_id: UUID) -> Response:
        """The load goes on."""
        batches.resume(actor=actor_of(request), batch_id=batch_id)
        return Response(_progress(actor_of(request), batch_id))


class RetryFailedView(ApiView):
    scopes = {"POST": Scope.WRITE}

    @extend_schema(request=None, responses=ProgressSerializer)
    def post(self, request: Request, batch_id: UUID) -> Response:
        """Files whose reading failed are read again."""
        batches.retry_failed(actor=actor_of(request), batch_id=batch_id)
        return Response(_progress(actor_of(request), batch_id))


class RereadView(ApiView):
    scopes = {"POST": Scope.WRITE}

    @extend_schema(request=None, responses={202: RereadSerializer})
    def post(self, request: Request, collection_id: UUID) -> Response:
        """Read every document of a collection again with today's reader; they answer as before meanwhile."""
        count = rereading.reread_collection(actor=actor_of(request), collection_id=collection_id)
        return Response({"documents": count}, status=202)


def _progress(actor: Actor, batch_id: UUID) -> dict[str, Any]:
    return dict(ProgressSerializer(selectors.get_progress(actor=actor, batch_id=batch_id)).data)
