"""Copies browser files from npm packages (package.json) into static/ and writes static/vendor/MANIFEST.json."""

import hashlib
import json
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

FONTS = {
    "@fontsource-variable/inter": ("inter-latin-wght-normal", "inter-latin-ext-wght-normal"),
    "@fontsource-variable/source-serif-4": (
        "source-serif-4-latin-wght-normal",
        "source-serif-4-latin-ext-wght-normal",
    ),
}
ICONS = (
    "archive", "arrow-left", "arrow-right", "arrow-up", "book-open", "building-2", "check", "chevron-down",
    "chevron-left", "chevron-right", "circle-alert", "circle-check", "circle-dashed", "circle-help", "circle-x",
    "clock", "copy", "download", "ellipsis", "file-text", "files", "folder", "globe", "house", "info", "key-round",
    "languages", "list", "lock", "log-out", "menu", "message-square-text", "moon", "plus", "refresh-cw", "search",
    "settings-2", "shield-check", "square", "sun", "sun-moon", "trash-2", "triangle-alert", "upload", "user", "users",
    "x", "zoom-in", "zoom-out", "history", "thumbs-up", "thumbs-down", "pencil",
    "bell", "bookmark", "pin", "pin-off", "printer",
)  # fmt: skip


class Command(BaseCommand):
    help = __doc__

    def handle(self, *args: Any, **options: Any) -> None:
        static = Path(settings.ROOT) / "static"
        with tempfile.TemporaryDirectory() as directory:
            shutil.copy(Path(settings.ROOT) / "package.json", directory)
            command = ["npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts"]
            subprocess.run(command, cwd=directory, check=True, stdout=subprocess.DEVNULL)
            modules = Path(directory) / "node_modules"
            copied = [
                *_copy(
                    modules, static, {p: [f"files/{f}.woff2" for f in fonts] for p, fonts in FONTS.items()}, "vendor"
                ),
                *_copy(modules, static, {"lucide-static": [f"icons/{name}.svg" for name in ICONS]}, "icons"),
            ]
        manifest = static / "vendor" / "MANIFEST.json"
        manifest.write_text(json.dumps(copied, indent=2) + "\n")
        self.stdout.write(f"{len(copied)} files vendored")


def _copy(modules: Path, static: Path, wanted: dict[str, list[str]], target: str) -> list[dict[str, str]]:
    rows = []
    (static / target).mkdir(parents=True, exist_ok=True)
    for package, files in wanted.items():
        about = json.loads((modules / package / "package.json").read_text())
        for file in files:
            source = modules / package / file
            content = source.read_bytes()
            destination = static / target / source.name
            destination.write_bytes(content)
            rows.append(
                {
                    "file": str(destination.relative_to(static)),
                    "package": package,
                    "version": about["version"],
                    "licence": about["license"],
                    "sha256": hashlib.sha256(content).hexdigest(),
                }
            )
    return rows
