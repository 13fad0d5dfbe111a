"""Everything that people can do on a page they can do by REST: services without a route stand here with a reason."""

import ast
import inspect
from importlib import import_module
from pathlib import Path

APPS = Path(__file__).resolve().parents[2] / "apps"
MODULES = (
    "accounts.services", "accounts.members", "accounts.groups", "accounts.invitations", "accounts.api_tokens",
    "documents.services", "retrieval.services", "chat.services", "chat.reviews", "jobs.services",
    "providers.services", "api.services",
)  # fmt: skip
EXPLAINED = {
    "chat.reviews.list_conversation_facts": "an auditor's act, with the reason given on the page",
    "chat.reviews.read_conversation": "as above",
    "chat.services.pin_conversation": "the order of one's own list on the page",
    "chat.services.unpin_conversation": "as above",
    "chat.services.ask_instead": "a page's branch; by REST a question is asked anew",
    "chat.services.take_back": "a page's line of questions; by REST one question is asked after the other",
}


def acts_of_people() -> set[str]:
    """Public functions that take an actor: `app.module.function`."""
    found = set()
    for name in MODULES:
        module = import_module(f"apps.{name}")
        for function_name, function in inspect.getmembers(module, inspect.isfunction):
            is_own = function.__module__ == module.__name__ and not function_name.startswith("_")
            parameter = inspect.signature(function).parameters.get("actor")
            if is_own and parameter is not None and parameter.kind is inspect.Parameter.KEYWORD_ONLY:
                found.add(f"{name}.{function_name}")
    return found


def called_by_rest() -> set[str]:
    """What the REST modules call of imported modules, as `app.module.function`."""
    called = set()
    for file in [*APPS.glob("*/rest.py"), *APPS.glob("*/*_rest.py")]:
        tree = ast.parse(file.read_text())
        modules = {
            alias.asname or alias.name: f"{node.module.removeprefix('apps.')}.{alias.name}"
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("apps.")
            for alias in node.names
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
                called.add(f"{modules[node.value.id]}.{node.attr}")
    return called


def test_every_act_has_a_route_or_a_reason() -> None:
    acts = acts_of_people()

    assert len(acts) > 30
    assert acts - called_by_rest() == set(EXPLAINED)
