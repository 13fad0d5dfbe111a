"""One running product for all tests here that do not break it; tests that kill start their own."""

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from airis.launcher.paths import Paths
from tests.live.browsing import FLAGS
from tests.live.stack import ApiClient, LiveStack, fresh_var

CHROMIUM = "/usr/bin/chromium"


@dataclass(frozen=True, slots=True)
class Desk:
    """An organisation in a running product."""

    stack: LiveStack
    slug: str
    collection: str
    emails: dict[str, str]
    password: str
    admin: ApiClient
    viewer: ApiClient
    invitation: str = ""  # path of an open one


def open_desk(stack: LiveStack, slug: str) -> Desk:
    made = json.loads(stack.seed(slug))
    clients = {name: ApiClient(stack.url, token) for name, token in made["tokens"].items()}
    return Desk(
        stack=stack,
        slug=slug,
        collection=made["collection"],
        emails=made["emails"],
        password=made["password"],
        admin=clients["admin"],
        viewer=clients["viewer"],
        invitation=made["invitation"],
    )


@pytest.fixture(scope="session")
def stack() -> Iterator[LiveStack]:
    stack = LiveStack(fresh_var("shared"))
    stack.start()
    yield stack
    children = [stack.pid_of(path.stem) for path in (stack.var / "run").glob("*.child")]
    assert stack.stop() == 0
    assert children
    assert [pid for pid in children if Path(f"/proc/{pid}").exists()] == []  # a stop leaves nothing
    assert not Paths(var=stack.var).valkey_socket.exists()


@pytest.fixture(scope="session")
def desk(stack: LiveStack) -> Desk:
    return open_desk(stack, "meridian")


@pytest.fixture
def own_stack(request: pytest.FixtureRequest) -> Iterator[Callable[..., LiveStack]]:
    """Starts a product of the test's own, with settings of its own."""
    started: list[LiveStack] = []

    def start(**environment: str) -> LiveStack:
        stack = LiveStack(fresh_var(request.node.name[:30].replace("[", "-").rstrip("]")))
        started.append(stack)
        stack.start(**environment)
        return stack

    yield start
    for stack in started:
        if stack.process is not None and stack.process.poll() is None:
            stack.stop()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium. Not longer than a module: Playwright's event loop would be in the way of other tests' own."""
    if not Path(CHROMIUM).exists():
        (pytest.fail if os.environ.get("AIRIS_REQUIRE_ALL") == "1" else pytest.skip)("chromium is missing")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()
