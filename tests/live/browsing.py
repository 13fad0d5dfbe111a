"""What browser tests share: how Chromium is started, and what a page must never do."""

from playwright.sync_api import BrowserContext, ConsoleMessage, Request

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
PATIENCE_MS = 60_000
FINISHED = "article.answer[data-state=answered]"


class Faults:
    """What the pages of a context did that they must not: console errors, requests to other hosts, dialogs."""

    def __init__(self, context: BrowserContext, base: str) -> None:
        self.found: list[str] = []
        self.base = base
        context.on("console", self._console)
        context.on("request", self._request)
        context.on("dialog", lambda dialog: (self.found.append(f"dialog {dialog.message}"), dialog.dismiss()))

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.found.append(message.text)

    def _request(self, request: Request) -> None:
        if not request.url.startswith((self.base, self.base.replace("http", "ws"), "data:")):
            self.found.append(f"request to {request.url}")
