"""The main job in a browser: sign in, bring a report, ask, open the place. And what must never happen there."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from apps.demo.documents.annual_report import annual_report
from tests.live.browsing import FINISHED, PATIENCE_MS, Faults
from tests.live.conftest import Desk
from tests.live.stack import wait_for

pytestmark = pytest.mark.browser
FILES = Path(__file__).parents[1] / "files"
QUESTION = "What were total assets at the end of 2024?"


@pytest.fixture
def open_page(browser: Browser, desk: Desk) -> Iterator[Callable[..., tuple[Page, Faults]]]:
    contexts: list[BrowserContext] = []

    def open_(
        who: str = "admin", *, language: str = "en", theme: str = "light", width: int = 1280
    ) -> tuple[Page, Faults]:
        context = browser.new_context(viewport={"width": width, "height": 900})
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        cookies = [
            {"name": "django_language", "value": language, "url": desk.stack.url},
            {"name": "theme", "value": theme, "url": desk.stack.url},
        ]
        context.add_cookies(cookies)  # type: ignore[arg-type]  # the library's own cookie type
        faults = Faults(context, desk.stack.url)
        page = context.new_page()
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
def report(desk: Desk) -> str:
    """Id of the annual report, searchable."""
    document = desk.admin.upload(desk.collection, "Annual Report 2024.pdf", annual_report(2024))["document"]
    desk.admin.wait_for_document(document["id"], {"searchable", "ready", "ready_with_warnings"})
    return str(document["id"])


def ask(page: Page, desk: Desk, question: str) -> None:
    page.goto(f"{desk.stack.url}/t/meridian/ask/")
    page.fill("#question", question)
    page.keyboard.press("Enter")


def test_a_dropped_report_is_searchable_and_its_figure_opens_lit(
    open_page: Callable[..., tuple[Page, Faults]], desk: Desk, tmp_path: Path
) -> None:
    page, faults = open_page()
    file = tmp_path / "Meridyen 2023.pdf"
    file.write_bytes(annual_report(2023))

    page.goto(f"{desk.stack.url}/t/meridian/collections/{desk.collection}/")
    page.set_input_files("#file", file)
    row = page.locator("tr", has_text="Meridyen 2023.pdf")
    expect(row.locator(".state--positive")).to_be_visible(timeout=PATIENCE_MS)
    row.locator("a.strong").click()
    page.get_by_role("link", name="Ask this document").click()
    page.wait_for_url("**/ask/**")  # loaded: before that Enter is a line break
    page.fill("#question", "What was net profit in 2023?")
    page.keyboard.press("Enter")
    page.wait_for_selector(FINISHED)
    page.locator("[data-cite]").first.click()
    lit = page.locator("#evidence rect.lit").first
    lit.wait_for()

    assert "486" in page.inner_text(FINISHED)
    drawn = page.locator("#evidence img").evaluate(
        "async image => { await image.decode(); return image.naturalWidth; }"
    )
    assert drawn > 500
    box, sheet = lit.bounding_box(), page.locator("#evidence .page").bounding_box()
    assert box is not None
    assert sheet is not None
    assert sheet["x"] < box["x"] < sheet["x"] + sheet["width"]
    assert page.inner_text("#evidence .quote").strip() == "486"
    page.keyboard.press("Escape")
    expect(page.locator("#evidence .page")).to_have_count(0)
    assert faults.found == []


def test_a_reopened_tab_shows_the_question_once_and_the_whole_answer(
    open_page: Callable[..., tuple[Page, Faults]], desk: Desk, report: str
) -> None:
    page, _ = open_page()
    desk.stack.failpoint.write_text("answer.composed hold")
    ask(page, desk, QUESTION)
    page.wait_for_url("**/ask/*-*/")
    conversation = page.url
    reached = desk.stack.failpoint.with_name("failpoint.reached")
    wait_for(lambda: reached.exists() or None, "the answer to be under way")
    second = page.context.new_page()
    page.close()

    second.goto(conversation)
    desk.stack.failpoint.unlink()
    reached.unlink()
    second.wait_for_selector(FINISHED)

    assert second.locator(".question").count() == 1
    assert "22,562" in second.inner_text(FINISHED)


def test_two_tabs_show_the_same_conversation_without_a_reload(
    open_page: Callable[..., tuple[Page, Faults]], desk: Desk, report: str
) -> None:
    page, faults = open_page()
    page.goto(f"{desk.stack.url}/t/meridian/inbox/")
    if page.get_by_role("button", name="Mark all as read").count():  # what other tests of this product left
        page.get_by_role("button", name="Mark all as read").click()
    ask(page, desk, QUESTION)
    page.wait_for_selector(FINISHED)
    second = page.context.new_page()
    second.goto(page.url)

    page.fill("#question", "What was net profit in 2024?")
    page.keyboard.press("Enter")
    expect(second.locator(".exchange")).to_have_count(2, timeout=PATIENCE_MS)
    expect(second.locator(FINISHED)).to_have_count(2, timeout=PATIENCE_MS)
    second.locator(".desk__head summary").click()
    second.fill("#title", "Figures of 2024")
    second.get_by_role("button", name="Rename").click()
    expect(page.locator("h1")).to_have_text("Figures of 2024", timeout=PATIENCE_MS)

    assert page.locator(".exchange").count() == page.locator(".question").count() == 2
    assert "603" in page.locator(FINISHED).last.inner_text()
    expect(page.locator(".bell__count")).to_have_count(0, timeout=PATIENCE_MS)  # what was looked at counts as seen
    assert faults.found == []


def test_pressing_send_twice_asks_once(open_page: Callable[..., tuple[Page, Faults]], desk: Desk, report: str) -> None:
    page, _ = open_page()
    page.goto(f"{desk.stack.url}/t/meridian/ask/")
    page.fill("#question", QUESTION)

    page.evaluate("() => { const f = document.getElementById('composer'); f.requestSubmit(); f.requestSubmit(); }")
    page.wait_for_selector(FINISHED)

    assert page.locator(".question").count() == 1


def test_a_session_that_ended_asks_to_sign_in_and_keeps_the_typed_text(
    open_page: Callable[..., tuple[Page, Faults]], desk: Desk, report: str
) -> None:
    page, _ = open_page()
    page.goto(f"{desk.stack.url}/t/meridian/ask/")
    page.fill("#question", "What was net profit in 2024?")
    page.context.clear_cookies(name="sessionid")

    page.keyboard.press("Enter")
    page.wait_for_selector("#signed-out:not([hidden])")

    assert page.input_value("#question") == "What was net profit in 2024?"
    assert page.locator(".exchange").count() == 0


def test_names_and_texts_with_markup_are_shown_as_text(
    open_page: Callable[..., tuple[Page, Faults]], desk: Desk
) -> None:
    names = json.loads((FILES / "markup_names.json").read_text())
    page, faults = open_page()
    for number, name in enumerate(names):
        text = f"Clause {number}: the fee is {number} euro. <img src=x onerror=alert(1)> <script>alert(2)</script>"
        document = desk.admin.upload(desk.collection, name, text.encode())["document"]
        desk.admin.wait_for_document(document["id"], {"ready", "ready_with_warnings", "searchable", "rejected"})

    for path in (f"collections/{desk.collection}/", "audit/", "search/?q=clause%20fee", "search/?q=%3Cscript%3E"):
        page.goto(f"{desk.stack.url}/t/meridian/{path}")
        page.wait_for_load_state("networkidle")
    ask(page, desk, "How much is the fee in clause 1? <script>alert(3)</script>")
    page.wait_for_selector("article.answer:not([data-state=waiting]):not([data-state=running])")

    assert faults.found == []


def test_orders_inside_a_document_are_not_followed(open_page: Callable[..., tuple[Page, Faults]], desk: Desk) -> None:
    note = (FILES / "supplier_note.txt").read_bytes()
    document = desk.admin.upload(desk.collection, "supplier_note.txt", note)["document"]
    desk.admin.wait_for_document(document["id"], {"ready", "searchable"})
    page, faults = open_page()

    page.goto(f"{desk.stack.url}/t/meridian/ask/?document={document['id']}")
    page.fill("#question", "What are the delivery terms?")
    page.keyboard.press("Enter")
    page.wait_for_selector(FINISHED)

    assert "30 days" in page.inner_text(FINISHED)
    assert "collect.invalid" not in page.inner_text("article.answer")
    assert faults.found == []
