"""The API of questions: ask, read, follow, stop; the same key is the same question; others get 404."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from apps.accounts import services as accounts
from apps.accounts.contracts import Actor
from apps.jobs import services as jobs
from tests.chat.conftest import Room

pytestmark = pytest.mark.django_db(transaction=True)
OFFER = "Offer 88: the discount is 17 per cent until March.\n"
QUESTION = {"question": "What is the discount of offer 88?"}


def client_of(actor: Actor) -> Callable[..., Any]:
    token, _ = accounts.issue_token(user_id=actor.user_id, tenant_id=actor.tenant_id, label="test")
    client = Client(headers={"authorization": f"Bearer {token}"})

    def call(method: str, path: str, body: Any = None, **headers: str) -> Any:
        options: dict[str, Any] = {"headers": headers} if headers else {}
        if body is not None:
            options |= {"data": body, "content_type": "application/json"}
        return getattr(client, method)(f"/api/v1/{path}", **options)

    return call


def test_a_question_is_asked_followed_and_read(room: Room) -> None:
    room.add("old_offer.txt", OFFER)
    call = client_of(room.analyst)
    asked = call("post", "questions/", QUESTION)
    waiting = call("get", f"questions/{asked.json()['question_id']}/")
    jobs.execute(tenant_id=room.tenant_id, job_id=asked.json()["job_id"])

    answer = call("get", f"questions/{asked.json()['question_id']}/").json()
    events = call("get", f"questions/{asked.json()['question_id']}/events/?after=1").json()["items"]

    assert asked.status_code == 202
    assert waiting.json()["state"] == "waiting"
    assert answer["state"] == "answered"
    assert "17 per cent" in answer["answer"]
    assert answer["statements"][0]["citations"][0]["quote"] in OFFER
    assert [event["seq"] for event in events] == list(range(2, len(events) + 2))
    assert events[-1]["type"] == "succeeded"


def test_the_idempotency_key_gives_the_same_question(room: Room) -> None:
    call = client_of(room.analyst)

    first = call("post", "questions/", QUESTION, **{"Idempotency-Key": "k"}).json()
    second = call("post", "questions/", QUESTION, **{"Idempotency-Key": "k"}).json()

    assert first == second


def test_a_key_that_comes_with_another_question_is_refused(room: Room) -> None:
    call = client_of(room.analyst)
    call("post", "questions/", QUESTION | {"idempotency_key": "in the body"})
    call("post", "questions/", QUESTION, **{"Idempotency-Key": "in the header"})

    in_body = call("post", "questions/", {"question": "Something else?", "idempotency_key": "in the body"})
    in_header = call("post", "questions/", {"question": "Something else?"}, **{"Idempotency-Key": "in the header"})

    assert [reply.status_code for reply in (in_body, in_header)] == [422, 422]
    assert in_header.json()["code"] == in_body.json()["code"] == "idempotency_key_reused"


def test_an_answer_is_stopped_once(room: Room) -> None:
    call = client_of(room.analyst)
    asked = call("post", "questions/", QUESTION).json()

    assert call("delete", f"questions/{asked['question_id']}/").status_code == 204
    assert call("delete", f"questions/{asked['question_id']}/").status_code == 409
    assert call("get", f"questions/{asked['question_id']}/").json()["state"] == "stopped"


def test_another_member_and_a_stranger_get_the_same_404(room: Room, another_room: Callable[[], Room]) -> None:
    asked = client_of(room.analyst)("post", "questions/", QUESTION).json()

    for other in (room.admin, another_room().analyst):
        call = client_of(other)
        known = call("get", f"questions/{asked['question_id']}/")
        unknown = call("get", f"questions/{asked['job_id']}/")
        assert known.status_code == unknown.status_code == 404
        assert known.json() == unknown.json()


@pytest.mark.parametrize(
    "body",
    [{}, {"question": 5.5, "document_ids": "x"}, {"question": "x" * 20_001}, {"question": "?", "conversation_id": "1"}],
)
def test_bad_input_is_a_400_that_names_the_field(body: dict[str, Any], room: Room) -> None:
    refused = client_of(room.analyst)("post", "questions/", body)

    assert refused.status_code == 400
    assert refused.json()["errors"]


def test_events_after_something_that_is_no_number_are_a_400(room: Room) -> None:
    call = client_of(room.analyst)
    asked = call("post", "questions/", QUESTION).json()

    assert call("get", f"questions/{asked['question_id']}/events/?after=x").status_code == 400
