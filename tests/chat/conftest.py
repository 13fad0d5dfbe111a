"""An organisation with people, a collection and ingested text files; jobs are run in the test's own process."""

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

import pytest

from apps.accounts.contracts import Actor, GrantLevel, Role
from apps.chat import selectors
from apps.chat import services as chat
from apps.chat.contracts import Asked, MessageView
from apps.documents import services as documents
from apps.jobs import services as jobs
from apps.jobs.models import Job
from apps.tenants.context import tenant_context
from tests.factories.people import make_actor, make_collection, make_organisation


@dataclass
class Room:
    """One organisation: its administrator, an analyst who asks, and the collection both read."""

    admin: Actor
    analyst: Actor
    collection_id: UUID

    @property
    def tenant_id(self) -> UUID:
        return self.admin.tenant_id

    def add(self, name: str, text: str) -> UUID:
        """A searchable text document."""
        result = documents.receive_upload(
            actor=self.admin, collection_id=self.collection_id, name=name, chunks=[text.encode()]
        )
        assert result.document is not None
        assert result.document.job_id is not None
        jobs.execute(tenant_id=self.tenant_id, job_id=result.document.job_id)
        return result.document.id

    def put(self, question: str, *, key: str = "", conversation_id: UUID | None = None) -> Asked:
        with tenant_context(self.tenant_id):
            return chat.ask(actor=self.analyst, question=question, idempotency_key=key, conversation_id=conversation_id)

    def ask(self, question: str) -> MessageView:
        asked = self.put(question)
        jobs.execute(tenant_id=self.tenant_id, job_id=asked.job_id)
        return self.message(asked.message_id)

    def message(self, message_id: UUID) -> MessageView:
        with tenant_context(self.tenant_id):
            return selectors.get_message(actor=self.analyst, message_id=message_id)

    def run_open_jobs(self, kind: str) -> None:
        with tenant_context(self.tenant_id):
            waiting = list(Job.objects.filter(kind=kind, state="queued").values_list("id", flat=True))
        for job_id in waiting:
            jobs.execute(tenant_id=self.tenant_id, job_id=job_id)


@pytest.fixture
def room() -> Room:
    return make_room()


def make_room() -> Room:
    tenant_id = make_organisation()
    admin, analyst = make_actor(tenant_id, Role.ADMIN), make_actor(tenant_id, Role.ANALYST)
    return Room(admin, analyst, make_collection(admin, grants={analyst: GrantLevel.READ}))


@pytest.fixture
def another_room() -> Callable[[], Room]:
    return make_room
