"""Every string a person sees stands in Turkish too, and the compiled catalogue matches its source."""

import ast
import gettext
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CATALOGUE = ROOT / "locale" / "tr" / "LC_MESSAGES" / "django.mo"
TRANSLATE = re.compile(r"""\{%\s*translate\s+(?:"([^"]+)"|'([^']+)')""")
BLOCK = re.compile(r"\{%\s*blocktranslate[^%]*%\}(.*?)\{%\s*endblocktranslate\s*%\}", re.DOTALL)
PLURAL = re.compile(r"\{%\s*plural\s*%\}")
PLACEHOLDER = re.compile(r"\{\{\s*(\w+)\s*\}\}")
GETTEXT = {"_", "gettext", "gettext_lazy"}


def strings_of_templates() -> set[str]:
    found = set()
    for file in [*(ROOT / "templates").rglob("*.html"), *(ROOT / "templates").rglob("*.txt")]:
        text = file.read_text()
        found |= {a or b for a, b in TRANSLATE.findall(text)}
        for body in BLOCK.findall(text):
            singular = PLURAL.split(body)[0]
            found.add(PLACEHOLDER.sub(r"%(\1)s", singular.replace("%", "%%") if "%" in singular else singular))
    return found


def strings_of_python() -> set[str]:
    found = set()
    for file in [*(ROOT / "apps").rglob("*.py"), *(ROOT / "airis").rglob("*.py")]:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in GETTEXT:
                first = node.args[0] if node.args else None
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    found.add(first.value)
    return found


def test_nothing_is_left_untranslated() -> None:
    with CATALOGUE.open("rb") as file:
        catalogue = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]  # no public view of it
    known = {key[0] if isinstance(key, tuple) else key for key, value in catalogue.items() if value}

    missing = sorted((strings_of_templates() | strings_of_python()) - known)

    assert missing == []


def test_the_compiled_catalogue_matches_its_source() -> None:
    source = (CATALOGUE.with_suffix(".po")).read_text()
    with CATALOGUE.open("rb") as file:
        catalogue = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]  # no public view of it

    entries = source.count("\nmsgid ") - source.count('\nmsgid ""\nmsgstr')
    compiled = len({key[0] if isinstance(key, tuple) else key for key in catalogue if key})

    assert entries in (compiled, compiled + 1)
