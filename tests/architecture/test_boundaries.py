"""Public = services, selectors, contracts. Nothing else of an app is imported by another app."""

import ast
from pathlib import Path

import pytest
from django.apps import apps
from django.db import models

ROOT = Path(__file__).resolve().parents[2]
FOUNDATION = {"core", "tenants", "accounts", "jobs", "providers"}  # base classes and doors may be imported
PURE = {"finance", "reading"}
PUBLIC = {"services", "selectors", "contracts", "followers", "kinds", "urls", "rest", "storage", "reasoning"}
PUBLIC |= {"chunker"}  # retrieval: pure rules of how a document is cut
PUBLIC |= {"metadata"}  # documents: pure rules of what a document says of itself
PUBLIC |= {"intake", "members", "unlock"}  # documents: the writes of ingestion, apart from those of people
PUBLIC |= {"readings", "reconciling"}  # documents, retrieval: what ingestion does to them, apart from people's acts
FLOORS = [
    "core", "tenants", "accounts", "jobs", "providers", "documents", "retrieval", "ingestion", "agents", "chat",
    "evaluation", "api", "demo",
]  # fmt: skip
APP_FILES = sorted(p for p in (ROOT / "apps").rglob("*.py") if "migrations" not in p.parts)


def imported_modules(file: Path) -> list[str]:
    names = []
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("apps."):
            parts = node.module.split(".")
            names += [f"{node.module}.{alias.name}" for alias in node.names] if len(parts) == 2 else [node.module]
        elif isinstance(node, ast.Import):
            names += [alias.name for alias in node.names if alias.name.startswith("apps.")]
    return names


@pytest.mark.parametrize("file", APP_FILES, ids=lambda p: str(p.relative_to(ROOT / "apps")))
def test_an_app_imports_only_the_public_modules_of_others(file: Path) -> None:
    own = file.relative_to(ROOT / "apps").parts[0]
    if own in {"apps.py"} or own == "__init__.py":
        return

    for module in imported_modules(file):
        _, app, *rest = module.split(".")
        if app == own or app in FOUNDATION | PURE:
            continue
        is_key_to_a_model = rest[0] == "models" and file.name == "models.py"
        assert rest[0] in PUBLIC or rest[0].endswith("_rest") or is_key_to_a_model, f"{file.name} imports {module}"


def test_a_foreign_key_counts_as_an_import() -> None:
    for model in apps.get_models():
        app = model._meta.app_label
        for field in model._meta.local_fields:
            if isinstance(field, models.ForeignKey) and app in FLOORS:
                target = field.related_model._meta
                if target.app_label in FLOORS and target.label != "accounts.User":
                    assert FLOORS.index(target.app_label) <= FLOORS.index(app), f"{model.__name__}.{field.name}"
