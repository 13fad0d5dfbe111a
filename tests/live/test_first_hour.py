"""The first hour of an organisation, in browsers: its owner starts it, a second person joins, each format answers."""

import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from apps.demo.documents.annual_report import annual_report
from tests.live.browsing import FINISHED, PATIENCE_MS, Faults
from tests.live.stack import LiveStack, wait_for
from tests.reading.office import archive, document, mail, picture, workbook

pytestmark = pytest.mark.browser
FILES = Path(__file__).parents[1] / "files"
PASSWORD = "seven quiet harbours"
ON_A_PAGE, IN_TEXT, IN_A_CELL = "#evidence rect.lit", "#evidence mark", "#evidence td.is-lit mark"


@dataclass(frozen=True, slots=True)
class Brought:
    """A file of the first hour, what is asked of it, and how its viewer shows the place."""

    name: str
    content: bytes
    question: str
    figure: str
    lit: str
    shown_in: str = ""  # the document that holds the place, when it came inside the file


def agreement(made: Any) -> None:
    made.add_heading("Storage agreement", 1)
    made.add_paragraph("The monthly rent of the Kartal depot is EUR 41,250, payable on the fifth day of each month.")


def files_of_each_format() -> tuple[Brought, ...]:
    ask = "What is the {} fee of the {} programme?".format
    line = "The {} fee of the {} programme is EUR {}.".format
    sheet = workbook({"Budget": [["Item", "2024", "2025"], ["Harbour insurance premium", 70100, 73400]]})
    table = "<table><tr><th>Item</th><th>2025</th></tr><tr><td>Crane inspection cost</td><td>18,640</td></tr></table>"
    page = f"<!doctype html><html><head><title>Costs</title></head><body><h1>Costs</h1>{table}</body></html>"
    ledger = b"Account,Debit 2025\nPilotage expense,9120\nTowage expense,4410\n"
    letter = mail("Mooring", line("mooring", "Cormorant", "2,365"))
    scan, photo = picture(line("ferry", "Plover", "8,480"), "png"), picture(line("rail", "Dunlin", "5,570"), "jpeg")
    inside = archive({"notes/dredging.txt": line("dredging", "Heron", "3,905").encode()})
    return (
        Brought("Report 2023.pdf", annual_report(2023), "What was net profit in 2023?", "486", ON_A_PAGE),
        Brought(
            "Storage.docx", document(agreement), "What is the monthly rent of the Kartal depot?", "41,250", IN_TEXT
        ),
        Brought("Budget.xlsx", sheet, "What is the harbour insurance premium in 2025?", "73400", IN_A_CELL),
        Brought("Eski.xls", (FILES / "eski.xls").read_bytes(), "Nakit tutarı ne kadar?", "5120.75", IN_A_CELL),
        Brought("Ledger.csv", ledger, "What is the pilotage expense in 2025?", "9120", IN_A_CELL),
        Brought("Costs.html", page.encode(), "What is the crane inspection cost in 2025?", "18,640", IN_TEXT),
        Brought("Mooring.eml", letter, ask("mooring", "Cormorant"), "2,365", IN_TEXT),
        Brought("Terms.txt", line("towage", "Gannet", "7,730").encode(), ask("towage", "Gannet"), "7,730", IN_TEXT),
        Brought("Notes.md", line("storage", "Puffin", "6,215").encode(), ask("storage", "Puffin"), "6,215", IN_TEXT),
        Brought("Bundle.zip", inside, ask("dredging", "Heron"), "3,905", IN_TEXT, shown_in="notes/dredging.txt"),
        Brought("Scan.png", scan, ask("ferry", "Plover"), "8,480", ON_A_PAGE),
        Brought("Photo.jpg", photo, ask("rail", "Dunlin"), "5,570", ON_A_PAGE),
    )


@pytest.fixture
def someone(browser: Browser) -> Iterator[Callable[[LiveStack], tuple[Page, Faults]]]:
    """A person at a browser of their own."""
    contexts: list[BrowserContext] = []

    def open_(stack: LiveStack) -> tuple[Page, Faults]:
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        return context.new_page(), Faults(context, stack.url)

    yield open_
    for context in contexts:
        context.close()


def test_the_first_hour(
    own_stack: Callable[..., LiveStack],
    someone: Callable[[LiveStack], tuple[Page, Faults]],
    require: Callable[[bool, str], None],
    tmp_path: Path,
) -> None:
    require(shutil.which("tesseract") is not None, "tesseract")
    stack = own_stack(AIRIS_EMBEDDING_MODEL="none")  # nothing here waits for the meaning index
    owner, owner_faults = someone(stack)
    guest, guest_faults = someone(stack)
    brought = files_of_each_format()

    start_organisation(owner, stack)
    shared = make_collection(owner, "Harbour papers")
    make_collection(owner, "Board minutes")
    link = invite(owner, "deniz@harbour.example", to="Harbour papers", level="read")
    join(guest, link, name="Deniz Kaya")

    assert guest.locator("main").inner_text().count("Board minutes") == 0
    guest.get_by_role("link", name="Harbour papers").first.click()
    expect(guest.locator("h1")).to_have_text("Harbour papers")
    upload(owner, shared, brought, tmp_path)
    for file in brought:
        see_the_answer_and_its_place(guest, stack, file)
    assert owner_faults.found == guest_faults.found == []


def start_organisation(page: Page, stack: LiveStack) -> None:
    address = wait_for(lambda: next(iter(re.findall(r"http://\S+/setup/\S+", stack.log)), None), "the one-time link")
    page.goto(address)
    page.fill("[name=organisation]", "Harbour Cooperative")
    page.fill("[name=name]", "Aylin Demir")
    page.fill("[name=email]", "aylin@harbour.example")
    page.fill("[name=password]", PASSWORD)
    page.get_by_role("button", name="Make the organisation").click()
    page.wait_for_url("**/t/harbour-cooperative/**")
    assert page.request.get(address).status == 404  # it works once


def make_collection(page: Page, name: str) -> str:
    """Address of the new collection's page."""
    page.goto(base_of(page) + "documents/")
    page.get_by_role("link", name="New collection").first.click()
    page.fill("[name=name]", name)
    page.get_by_role("button", name="Make the collection").click()
    page.goto(base_of(page) + "documents/")
    page.get_by_role("link", name=name).first.click()
    page.wait_for_url("**/collections/*/")
    return page.url


def invite(page: Page, email: str, *, to: str, level: str) -> str:
    """The link to hand over."""
    page.goto(base_of(page) + "members/")
    page.get_by_text("Invite somebody").click()
    page.fill("#invite-email", email)
    page.select_option("#invite-role", "viewer")
    page.get_by_label(to, exact=True).select_option(level)
    page.get_by_role("button", name="Invite", exact=True).click()
    return page.input_value("#link")


def join(page: Page, link: str, *, name: str) -> None:
    page.goto(link)
    page.fill("[name=name]", name)
    page.fill("[name=password]", PASSWORD)
    page.get_by_role("button", name="Join").click()
    page.wait_for_url("**/t/harbour-cooperative/**")
    page.goto(base_of(page) + "documents/")


def upload(page: Page, collection: str, brought: tuple[Brought, ...], folder: Path) -> None:
    """All files are searchable; a ZIP has put its documents beside it."""
    paths = [folder / file.name for file in brought]
    for path, file in zip(paths, brought, strict=True):
        path.write_bytes(file.content)
    page.goto(collection)
    page.set_input_files("#file", paths)
    for file in brought:
        row = page.locator("tr", has=page.get_by_role("link", name=file.shown_in or file.name, exact=True))
        expect(row.locator(".state--positive, .state--warning").first).to_be_visible(timeout=PATIENCE_MS)


def see_the_answer_and_its_place(page: Page, stack: LiveStack, file: Brought) -> None:
    page.goto(base_of(page) + "ask/")
    page.fill("#question", file.question)
    page.keyboard.press("Enter")
    page.wait_for_selector(FINISHED)
    page.locator("[data-cite]").first.click()
    expect(page.locator(file.lit).first).to_be_visible(timeout=PATIENCE_MS)
    quote = page.inner_text("#evidence .quote")
    assert file.figure in quote or file.figure in page.locator(file.lit).first.inner_text(), (file.name, quote)
    assert page.locator("#evidence strong.clip").inner_text() == (file.shown_in or file.name)


def base_of(page: Page) -> str:
    return page.url.partition("/t/")[0] + "/t/harbour-cooperative/"
