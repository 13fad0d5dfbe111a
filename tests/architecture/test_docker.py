"""docker/ is kept honest: the processes are those of `make run`, every variable is known, every path is there."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from airis.launcher.product import programs

ROOT = Path(__file__).resolve().parents[2]
COMPOSE = ROOT / "docker" / "compose.yml"
OUTSIDE = {"database", "valkey"}  # other people's images


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(COMPOSE.read_text())["services"]
    return found


def test_every_process_of_the_product_is_a_service_with_the_same_command(services: dict[str, Any]) -> None:
    wanted = {
        program.name: ["python", "-m", *("0.0.0.0" if word == "127.0.0.1" else word for word in program.arguments)]
        for program in programs(8000)
    }

    assert {name: services[name]["command"] for name in services if name not in OUTSIDE | {"prepare"}} == wanted
    assert services["prepare"]["command"] == ["python", "manage.py", "prepare"]
    assert (ROOT / "apps/core/management/commands/prepare.py").exists()


def test_every_variable_is_one_that_is_read_and_every_value_to_give_is_described(services: dict[str, Any]) -> None:
    documented = set(re.findall(r"^\| `([A-Z_]+)`", (ROOT / "docs/configuration.md").read_text(), re.MULTILINE))
    given = {
        name.removesuffix("_FILE")
        for service, options in services.items()
        if service not in OUTSIDE
        for name in options["environment"]
    }
    dockerfile = (ROOT / "docker/Dockerfile").read_text()
    given |= set(re.findall(r"\b(AIRIS_[A-Z_]+)=", dockerfile))
    asked = set(re.findall(r"\$\{([A-Z_]+)", COMPOSE.read_text()))
    described = set(re.findall(r"^\| `([A-Z_]+)`", (ROOT / "docs/operations.md").read_text(), re.MULTILINE))

    assert given - documented == set()
    assert asked == described


def test_every_file_that_is_copied_mounted_or_kept_secret_has_its_place(services: dict[str, Any]) -> None:
    for line in (ROOT / "docker/Dockerfile").read_text().splitlines():
        if line.startswith("COPY "):
            assert all((ROOT / source).exists() for source in line.split()[1:-1]), line
    mounted = [volume for options in services.values() for volume in options.get("volumes", ())]
    assert {m.split(":")[0] for m in mounted if m.startswith("./")} == {"./init-database.sh"}
    assert (ROOT / "docker/init-database.sh").stat().st_mode & 0o111
    assert "docker/secrets/" in (ROOT / ".gitignore").read_text().split()


def test_the_roles_of_the_database_are_those_of_the_guide() -> None:
    def statements(text: str) -> set[str]:
        found = re.findall(r"^(?:CREATE|GRANT|REVOKE) .*;$", text, re.MULTILINE)
        return {re.sub(r" (PASSWORD|TEMPLATE) [^;]*", "", line) for line in found}

    script = statements((ROOT / "docker/init-database.sh").read_text())
    guide = statements((ROOT / "docs/configuration.md").read_text())

    assert len(script) >= 9
    assert script == guide
