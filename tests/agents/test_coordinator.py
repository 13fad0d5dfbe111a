"""The answer graph on real rows: recorded steps, events, rights at the last moment, stopping."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from uuid import UUID, uuid4

import pytest

from apps.accounts.contracts import Actor
from apps.agents import services
from apps.agents.contracts import Answer, AnswerState, Question, ScopeChoice, Verdict
from apps.agents.models import RunStep
from apps.tenants.context import tenant_context
from tests.agents.library import MemoryLibrary, version_of
from tests.factories.people import make_actor, make_organisation

pytestmark = pytest.mark.django_db(transaction=True)
Make = Callable[..., MemoryLibrary]


class Stopped(Exception):
    """What the test's door raises when its run was stopped."""


class OpenDoor:
    """A job's door without a job: writes in the tenant's context, collects events, can be shut."""

    def __init__(self, tenant_id: UUID) -> None:
        self.tenant_id = tenant_id
        self.events: list[tuple[str, dict[str, object]]] = []
        self.is_shut = False

    @contextmanager
    def write(self) -> Iterator[None]:
        with tenant_context(self.tenant_id):
            self.check()
            yield

    def check(self) -> None:
        if self.is_shut:
            raise Stopped

    def event(self, type_: str, payload: dict[str, object]) -> None:
        self.events.append((type_, payload))


@pytest.fixture
def actor() -> Actor:
    return make_actor(make_organisation())


def run(actor: Actor, library: MemoryLibrary, text: str, *, run_id: UUID, door: OpenDoor) -> Answer:
    return services.answer_question(
        run_id=run_id,
        question=Question(text, services.detect_language(text=text)),
        actor=actor,
        choice=ScopeChoice(),
        door=door,
        library=library,
    )


def test_an_answer_tells_its_steps_in_order_and_cites_the_page(actor: Actor, library_of: Make) -> None:
    door = OpenDoor(actor.tenant_id)

    answer = run(actor, library_of("labels.pdf"), "What was operating cash flow?", run_id=uuid4(), door=door)

    assert answer.state is AnswerState.ANSWERED
    (citation,) = answer.statements[0].citations
    assert (citation.document_name, citation.page, citation.label) == ("labels.pdf", 5, "2")
    assert answer.statements[0].verdict is Verdict.SUPPORTED
    types = [type_ for type_, _ in door.events]
    assert types[0] == "planned"
    assert types[-1] == "checked"
    assert types.index("searched") < types.index("read") < types.index("composed")
    searched = next(payload for type_, payload in door.events if type_ == "searched")
    assert searched["query"]
    assert searched["documents"] == 1


def test_a_redelivered_run_takes_recorded_steps_and_gives_the_same_answer(actor: Actor, library_of: Make) -> None:
    run_id, library = uuid4(), library_of("q3_report.pdf")
    question = "What was revenue in the third quarter of 2024?"
    first = run(actor, library, question, run_id=run_id, door=OpenDoor(actor.tenant_id))
    with tenant_context(actor.tenant_id):
        rows = set(RunStep.objects.values_list("id", flat=True))
    library.searches.clear()

    second = run(actor, library, question, run_id=run_id, door=OpenDoor(actor.tenant_id))

    assert library.searches == []
    assert second.statements == first.statements
    assert second.searched == first.searched
    with tenant_context(actor.tenant_id):
        assert set(RunStep.objects.values_list("id", flat=True)) == rows


def test_a_document_hidden_after_the_search_is_in_no_answer(actor: Actor, library_of: Make) -> None:
    run_id, library = uuid4(), library_of("labels.pdf")
    first = run(actor, library, "What was operating cash flow?", run_id=run_id, door=OpenDoor(actor.tenant_id))
    library.hidden.add(version_of("labels.pdf"))

    second = run(actor, library, "What was operating cash flow?", run_id=run_id, door=OpenDoor(actor.tenant_id))

    assert first.state is AnswerState.ANSWERED
    assert second.state is AnswerState.ABSTAINED
    assert second.statements == ()


def test_a_stopped_run_writes_nothing_more(actor: Actor, library_of: Make) -> None:
    door = OpenDoor(actor.tenant_id)
    door.is_shut = True

    with pytest.raises(Stopped):
        run(actor, library_of("labels.pdf"), "What was operating cash flow?", run_id=uuid4(), door=door)

    with tenant_context(actor.tenant_id):
        assert not RunStep.objects.exists()


def test_an_unanswerable_question_is_searched_twice_and_abstained(actor: Actor, library_of: Make) -> None:
    door = OpenDoor(actor.tenant_id)

    answer = run(actor, library_of("valley.pdf"), "Who is the head of Valley Rail?", run_id=uuid4(), door=door)

    assert answer.state is AnswerState.ABSTAINED
    assert answer.missing
    assert answer.searched
    assert [type_ for type_, _ in door.events].count("read") <= 2


def test_small_talk_searches_nothing(actor: Actor, library_of: Make) -> None:
    library = library_of("labels.pdf")

    answer = run(actor, library, "merhaba", run_id=uuid4(), door=OpenDoor(actor.tenant_id))

    assert answer.state is AnswerState.ANSWERED
    assert library.searches == []
    assert answer.statements[0].citations == ()


def test_records_of_a_deleted_version_are_forgotten(actor: Actor, library_of: Make) -> None:
    run(actor, library_of("labels.pdf", "tiny.txt"), "EBITDA", run_id=uuid4(), door=OpenDoor(actor.tenant_id))

    with tenant_context(actor.tenant_id):
        services.forget_versions(version_ids=[version_of("tiny.txt")])

        assert not RunStep.objects.filter(version_ids__contains=[version_of("tiny.txt")]).exists()
        assert not any("coupon" in str(output) for output in RunStep.objects.values_list("output", flat=True))


def test_another_organisation_sees_no_records(actor: Actor, library_of: Make) -> None:
    run(
        actor, library_of("labels.pdf"), "What was operating cash flow?", run_id=uuid4(), door=OpenDoor(actor.tenant_id)
    )

    with tenant_context(make_organisation()):
        assert not RunStep.objects.exists()
