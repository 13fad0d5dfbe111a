"""The line and the tree of questions: answered in order, taken back, asked again, each branch kept."""

from uuid import UUID

import pytest

from apps.chat import selectors, services
from apps.chat.contracts import Asked, MessageView
from apps.chat.models import Conversation, Message
from apps.core.errors import Conflict, NotFound
from apps.jobs import services as jobs
from apps.jobs.models import Job
from apps.tenants.context import tenant_context
from tests.chat.conftest import Room

pytestmark = pytest.mark.django_db(transaction=True)
OFFERS = "Offer 88: the discount is 17 per cent until March.\n\nOffer 89: the discount is 9 per cent until June.\n"


def run(room: Room, message_id: UUID) -> None:
    with tenant_context(room.tenant_id):
        job_id = Message.objects.values_list("job_id", flat=True).get(id=message_id)
    assert job_id is not None
    jobs.execute(tenant_id=room.tenant_id, job_id=job_id)


def put(room: Room, question: str, conversation_id: UUID, after_id: UUID | None = None) -> Asked:
    with tenant_context(room.tenant_id):
        return services.ask(actor=room.analyst, question=question, conversation_id=conversation_id, after_id=after_id)


def again(room: Room, message_id: UUID, question: str, key: str = "") -> Asked:
    with tenant_context(room.tenant_id):
        return services.ask_instead(actor=room.analyst, message_id=message_id, question=question, idempotency_key=key)


def branch(room: Room, conversation_id: UUID, at: UUID | None = None) -> tuple[MessageView, ...]:
    with tenant_context(room.tenant_id):
        view = selectors.get_conversation(actor=room.analyst, conversation_id=conversation_id, at=at)
    return view.messages


def test_questions_of_a_conversation_are_answered_one_after_the_other(room: Room) -> None:
    room.add("offers.txt", OFFERS)
    first = room.put("What is the discount of offer 88?")
    second, third = (put(room, text, first.conversation_id) for text in ("And of offer 89?", "hello"))
    behind = [message.behind for message in branch(room, first.conversation_id)]

    run(room, first.message_id)
    then = [(message.behind, message.job_id is not None) for message in branch(room, first.conversation_id)]
    run(room, second.message_id)
    run(room, third.message_id)

    assert (second.job_id, third.job_id) == (None, None)
    assert behind == [None, 1, 2]
    assert then == [(None, True), (None, True), (1, False)]
    assert "9 per cent" in room.message(second.message_id).statements[0].text
    assert [m.is_open for m in branch(room, first.conversation_id)] == [False] * 3


@pytest.mark.parametrize("end", ["stopped", "failed"])
def test_the_line_moves_on_when_an_answer_is_stopped_or_fails(room: Room, end: str) -> None:
    first = room.put("hello")
    second = put(room, "thanks", first.conversation_id)
    assert first.job_id is not None

    with tenant_context(room.tenant_id):
        if end == "stopped":
            services.stop(actor=room.analyst, message_id=first.message_id)
        else:
            Job.objects.filter(id=first.job_id).update(
                state="running", attempt=3, lease_until="2020-01-01T00:00:00Z", hinted_at=None
            )
    if end == "failed":
        jobs.dispatch()

    assert room.message(first.message_id).state.value == end
    assert room.message(second.message_id).job_id is not None


def test_a_question_in_line_can_be_taken_back_and_one_that_began_cannot(room: Room) -> None:
    first = room.put("hello")
    second, third = (put(room, text, first.conversation_id) for text in ("thanks", "help"))
    with tenant_context(room.tenant_id):
        words = services.take_back(actor=room.analyst, message_id=second.message_id)

        with pytest.raises(Conflict):
            services.take_back(actor=room.analyst, message_id=first.message_id)
        with pytest.raises(NotFound):
            services.take_back(actor=room.admin, message_id=third.message_id)
    run(room, first.message_id)
    run(room, third.message_id)

    assert words == "thanks"
    assert [message.question for message in branch(room, first.conversation_id)] == ["hello", "help"]


def test_asked_again_keeps_the_old_branch_and_follow_ups_belong_to_the_branch_shown(room: Room) -> None:
    room.add("offers.txt", OFFERS)
    first = room.put("What was total revenue in 2024?")
    run(room, first.message_id)
    follow_up = put(room, "And in 2023?", first.conversation_id)
    run(room, follow_up.message_id)

    edited = again(room, first.message_id, "What was net profit in 2024?", key="k")
    same = again(room, first.message_id, "What was net profit in 2024?", key="k")
    run(room, edited.message_id)
    new = put(room, "And in 2023?", first.conversation_id, after_id=edited.message_id)
    run(room, new.message_id)
    old = put(room, "thanks", first.conversation_id, after_id=first.message_id)
    run(room, old.message_id)

    assert same.message_id == edited.message_id
    shown = branch(room, first.conversation_id, at=edited.message_id)
    assert [message.id for message in shown] == [edited.message_id, new.message_id]
    assert (shown[0].version, len(shown[0].versions), shown[0].previous_version) == (2, 2, first.message_id)
    assert "net profit" in shown[1].searched[0].query
    assert "total revenue" in room.message(follow_up.message_id).searched[0].query
    kept = [message.id for message in branch(room, first.conversation_id, at=first.message_id)]
    assert kept == [first.message_id, follow_up.message_id, old.message_id]
    assert [message.id for message in branch(room, first.conversation_id)] == kept  # asked in last
    with tenant_context(room.tenant_id), pytest.raises(NotFound):
        selectors.get_conversation(
            actor=room.analyst, conversation_id=first.conversation_id, at=room.put("hello").message_id
        )


def test_an_open_question_is_not_asked_again_and_no_follow_up_crosses_conversations(room: Room) -> None:
    first, other = room.put("hello"), room.put("thanks")

    with pytest.raises(Conflict):
        again(room, first.message_id, "good morning")
    with pytest.raises(NotFound):
        put(room, "?", first.conversation_id, after_id=other.message_id)


def test_deleting_a_conversation_ends_its_line(room: Room) -> None:
    first = room.put("hello")
    put(room, "thanks", first.conversation_id)

    with tenant_context(room.tenant_id):
        services.delete_conversation(actor=room.analyst, conversation_id=first.conversation_id)

        assert not Message.objects.exists()
        assert not Conversation.objects.exists()
        assert set(Job.objects.values_list("state", flat=True)) == {"cancelled"}
