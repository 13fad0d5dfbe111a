"""The line of questions in a conversation: one is answered at a time, in the order they were asked."""

from uuid import UUID

from apps.chat import branches
from apps.chat.contracts import ANSWER_KIND
from apps.chat.desks import conversations_changed
from apps.chat.models import Conversation, Message
from apps.jobs import services as jobs


def places_of(conversation_id: UUID) -> tuple[branches.Place, ...]:
    rows = Message.objects.filter(conversation_id=conversation_id).order_by("ordinal")
    return tuple(branches.Place(*row) for row in rows.values_list("id", "parent_id", "ordinal", "state", "job_id"))


def start_next(*, conversation_id: UUID) -> None:
    """The question whose turn it is has a job; nothing happens while another one is being answered.

    Locks: conversation, then (last) the author's desk. Called wherever a question was added or an answer ended.
    """
    conversation = Conversation.objects.select_for_update().filter(id=conversation_id).first()
    if conversation is None:
        return
    message_id = branches.next_in_line(places_of(conversation_id))
    if message_id is None:
        return
    job_id = jobs.enqueue(
        kind=ANSWER_KIND,
        payload={"message_id": str(message_id)},
        subject_id=message_id,
        created_by_id=conversation.author_id,
        idempotency_key=str(message_id),
    )
    Message.objects.filter(id=message_id).update(job_id=job_id)
    conversations_changed(person_id=conversation.author_id)
