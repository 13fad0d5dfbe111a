"""The API of a running product: the tours of docs/api.md as they stand there, and the OpenAPI document attacked."""

import json
import os
import re
import subprocess
from collections import Counter
from pathlib import Path

import httpx
import hypothesis
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.factories.library import NOTE
from tests.live.conftest import Desk, open_desk
from tests.live.stack import LiveStack, free_port

GUIDE = (Path(__file__).parents[2] / "docs" / "api.md").read_text()
EXAMPLES = 3  # of each operation
SEED = 20261130
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
UNBOUNDED = {"sign_in_create", "schema_retrieve", "models_try_create", "models_installation_try_create"}


def blocks(name: str) -> str:
    return "\n".join(re.findall(rf"^```\w+ {name}\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL))


def run(script: str, folder: Path, **environment: str) -> str:
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_tour_ends_in_a_citation(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "tour.txt").write_text(NOTE + "Written for the tour.\n")
    who = {"AIRIS": desk.stack.url, "EMAIL": desk.emails["admin"], "PASSWORD": desk.password, "FILE": "tour.txt"}

    said = run(blocks("tour"), tmp_path, **who)

    answer, quote, *stream = said.splitlines()
    assert "3.15 million" in answer
    assert quote in NOTE
    assert stream[0] == "id: 1"
    assert stream[-3:-1] == ["event: end", 'data: {"state": "succeeded"}']


def test_the_webhook_tour_ends_in_a_message_that_is_ours(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "receive.py").write_text(blocks("receiver"))
    who = {"AIRIS": desk.stack.url, "TOKEN": desk.admin.token, "PORT": str(free_port())}

    said = run(blocks("webhook"), tmp_path, **who)

    verdict, _, body = said.splitlines()[-1].partition(" ")
    assert verdict == "ours"
    assert json.loads(body)["type"] == "ping"


@pytest.fixture(scope="module")
def attacked(stack: LiveStack) -> tuple[Desk, Desk]:
    """Two organisations of which the first is attacked with its own token and with ids of the second."""
    return open_desk(stack, "attacked"), open_desk(stack, "neighbour")


def test_no_generated_request_fails_or_breaks_the_schema(attacked: tuple[Desk, Desk]) -> None:
    desk, neighbour = attacked
    document = neighbour.admin.upload(neighbour.collection, "secret.txt", b"Neighbour's price is 8128 euro.")[
        "document"
    ]
    foreign = {"document_id": document["id"], "collection_id": neighbour.collection}
    mine = desk.admin.upload(desk.collection, "mine.txt", b"Our price is 496 euro.")["document"]
    own = {"document_id": mine["id"], "collection_id": desk.collection, "number": 1}
    schema = schemathesis.openapi.from_url(f"{desk.stack.url}/api/v1/schema/?format=json")
    headers = {"Authorization": f"Bearer {desk.admin.token}"}
    attacked_operations, leaks = 0, []
    statuses: Counter[int] = Counter()

    with httpx.Client(timeout=30) as client:
        for result in schema.get_all_operations():
            operation = result.ok()
            if operation.definition.raw["operationId"] in UNBOUNDED:
                continue
            attacked_operations += 1

            @hypothesis.seed(SEED)
            @hypothesis.settings(
                max_examples=EXAMPLES,
                deadline=None,
                database=None,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            )
            @hypothesis.given(case=operation.as_strategy())
            def attack(case: schemathesis.Case) -> None:
                drawn = dict(case.path_parameters or {})
                for known in ({}, own, foreign):
                    if known and not set(drawn) & set(known):
                        continue
                    case.path_parameters = {name: known.get(name, value) for name, value in drawn.items()}
                    reply = case.call(headers=headers)
                    case.validate_response(reply, checks=CHECKS, headers=headers)
                    statuses[reply.status_code] += 1
                    if known is foreign and (reply.status_code < 300 or b"8128" in reply.content):
                        leaks.append(f"{case.method} {case.path}: {reply.status_code}")

            attack()

        still = client.get(
            f"{desk.stack.url}/api/v1/documents/{document['id']}/",
            headers={"Authorization": f"Bearer {neighbour.admin.token}"},
        )
    assert leaks == []
    assert still.status_code == 200
    assert attacked_operations > 60
    assert set(statuses) >= {200, 201, 204, 400, 404}  # the attack got in as well as not
