"""Every page, found by following links, passes axe, does not overflow and keeps to the content policy."""

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import Resolver404, resolve
from playwright.sync_api import Browser, BrowserContext, Page

from tests.architecture.routes import OK, ORGANISATION_ROUTES
from tests.live.browsing import PATIENCE_MS, Faults
from tests.live.conftest import Desk
from tests.live.stack import wait_for

pytestmark = pytest.mark.browser
FILES = Path(__file__).parents[1] / "files"
RENDERINGS = {"en": (("light", 1280), ("dark", 360)), "tr": (("dark", 1280), ("light", 768))}
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"], "resultTypes": ["violations"]}
PARTS = {  # addresses that give no page of their own: a part of one, a file, or the way on to another page
    "suggestions", "documents:members", "documents:original", "documents:why", "chat:text", "chat:use_scope",
    "chat:open_notice", "documents:page_image", "documents:history", "retrieval:chunks",
}  # fmt: skip
OF_THE_PERSON = {"accounts:preferences", "accounts:tokens", "mfa_index", "mfa_activate_totp", "account_change_password"}
AT_THE_DOOR = ("/accounts/login/", "/accounts/password/reset/", "/accounts/password/reset/done/", "/accounts/signup/")
PANELS = ("tables", "metadata", "figures", "history")
SEARCHABLE = {"searchable", "ready", "ready_with_warnings"}
FEW = 60  # pages of one person: more means that addresses do not repeat


@pytest.fixture(scope="module")
def opened(browser: Browser, desk: Desk) -> Iterator[Callable[[str], tuple[Page, Faults]]]:
    """A page of a person who signed in; "" is nobody."""
    contexts: list[BrowserContext] = []

    def open_(who: str) -> tuple[Page, Faults]:
        context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        faults, page = Faults(context, desk.stack.url), context.new_page()
        if who:
            page.goto(f"{desk.stack.url}/accounts/login/")
            page.fill("#login", desk.emails[who])
            page.fill("#password", desk.password)
            page.keyboard.press("Enter")
            page.wait_for_url("**/t/meridian/")
        return page, faults

    yield open_
    for context in contexts:
        context.close()


@pytest.fixture(scope="module")
def found(opened: Callable[[str], tuple[Page, Faults]], desk: Desk) -> dict[str, dict[str, str]]:
    """{person: {route: an address of it}}, by following links from the home page."""
    report = desk.admin.upload(desk.collection, "Kestrel.pdf", (FILES / "span.pdf").read_bytes())["document"]
    desk.admin.wait_for_document(report["id"], SEARCHABLE)
    desk.admin.wait_for_answer(desk.admin.ask("What is the option price?"))
    load = {"collection_id": desk.collection, "name": "Archive", "files": [{"path": "2024/a.txt", "size": 12}]}
    assert desk.admin.call("POST", "batches/", json=load).status_code == 201
    pages = {}
    for who in ("admin", "auditor"):
        page, _ = opened(who)
        pages[who] = follow_links(page, desk.stack.url)
    document = f"/t/meridian/documents/{report['id']}/"
    pages["admin"] |= {f"panel {name}": f"{document}?panel={name}" for name in PANELS}
    pages["admin"]["a version of before"] = superseded(desk)
    return pages


def superseded(desk: Desk) -> str:
    """The address of a version that another has replaced."""
    first = desk.admin.upload(desk.collection, "Terms.txt", b"The fee is 3 euro a month.")["document"]
    desk.admin.wait_for_document(first["id"], SEARCHABLE)
    data = {"collection_id": desk.collection, "new_version_of": first["id"]}
    file = {"file": ("Terms.txt", b"The fee is 4 euro a month.")}
    assert desk.admin.call("POST", "documents/", data=data, files=file).status_code == 201

    def look() -> str | None:
        versions = desk.admin.call("GET", f"documents/{first['id']}/versions/").json()
        versions = versions if isinstance(versions, list) else versions["items"]
        return next((str(version["id"]) for version in versions if version["superseded_at"]), None)

    version = wait_for(look, "the new version to take over")
    return f"/t/meridian/documents/{first['id']}/versions/{version}/"


def follow_links(page: Page, base: str) -> dict[str, str]:
    """An address for every route that a link leads to, from link to link; two of a route are followed."""
    waiting, known, seen = ["/t/meridian/"], {}, Counter[str]()
    while waiting:
        path = waiting.pop()
        name = route_of(path)
        if name is None or name in PARTS or seen[name] == 2 or known.get(name) == path:
            continue
        known[name] = path
        seen[name] += 1
        assert len(known) < FEW, known
        page.goto(base + path)
        hrefs = page.eval_on_selector_all("a[href]:not([download])", "links => links.map(a => a.href)")
        waiting += [urlsplit(href).path for href in hrefs if href.startswith(base)]
    return known


def route_of(path: str) -> str | None:
    try:
        return resolve(path).view_name
    except Resolver404:
        return None


def test_links_lead_to_every_page(found: dict[str, dict[str, str]]) -> None:
    pages = {name for name, route in ORGANISATION_ROUTES.items() if route.method == "get" and route.admin == OK}
    pages |= {
        name
        for name, route in ORGANISATION_ROUTES.items()
        if route.is_private and route.viewer == OK and route.method == "get"
    }

    assert (pages | OF_THE_PERSON) - PARTS - set(found["admin"]) == set()
    assert "chat:reviews" in found["auditor"]


@pytest.mark.parametrize("language", RENDERINGS)
def test_every_page_passes_axe_does_not_overflow_and_keeps_to_the_policy(
    opened: Callable[[str], tuple[Page, Faults]], desk: Desk, found: dict[str, dict[str, str]], language: str
) -> None:
    own = {path for name, path in found["auditor"].items() if name not in found["admin"]}
    walks = {"admin": found["admin"].values(), "auditor": own, "": (*AT_THE_DOOR, desk.invitation)}
    problems: list[str] = []

    for who, paths in walks.items():
        page, faults = opened(who)
        page.context.add_cookies([{"name": "django_language", "value": language, "url": desk.stack.url}])
        for path in paths:
            page.goto(desk.stack.url + path)
            page.wait_for_selector(".htmx-request", state="detached")
            assert page.get_attribute("html", "lang") == language
            for theme, width in RENDERINGS[language]:
                page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
                page.set_viewport_size({"width": width, "height": 900})
                problems += [f"{who} {path} {theme} {width}: {problem}" for problem in problems_of(page)]
        problems += faults.found

    assert problems == []


def problems_of(page: Page) -> Iterator[str]:
    overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    if overflow > 0:
        yield f"{overflow}px overflow"
    for violation in Axe().run(page, options=RULES).response["violations"]:
        yield f"{violation['id']} {violation['nodes'][0]['target']}"
