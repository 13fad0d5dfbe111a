"""The database, static files and beat schedule match the code before anything uses them."""

import hashlib
import subprocess
import sys
from collections.abc import Mapping

from airis.launcher.paths import ROOT, LauncherError, Paths


def prepare(paths: Paths, environment: Mapping[str, str]) -> None:
    """Migrations, static files and the beat schedule match the code; skipped when nothing changed."""
    marker = paths.var / "prepared"
    wanted = _code_digest(environment["DATABASE_URL"])
    if marker.exists() and marker.read_text() == wanted:
        return
    print("AIris: preparing the database and static files …", flush=True)
    steps = [["prepare"]]
    if environment.get("AIRIS_DEMO", "1") != "0":
        steps.append(["seed_demo", "--people-only"])  # whoever reads the sign-ins can use them
    for step in steps:
        done = subprocess.run([sys.executable, str(ROOT / "manage.py"), *step], env=environment, cwd=ROOT, check=False)
        if done.returncode != 0:
            raise LauncherError(
                "the installation could not be prepared; the lines above say why. Your data is unchanged."
            )
    marker.write_text(wanted)


def _code_digest(database_url: str) -> str:
    digest = hashlib.sha256(database_url.encode())
    patterns = (
        "apps/*/migrations/*.py",
        "static/**/*",
        "locale/**/*.po",
        "requirements/base.txt",
        "airis/settings/*.py",
    )
    for pattern in patterns:
        for file in sorted(ROOT.glob(pattern)):
            if file.is_file():
                digest.update(str(file.relative_to(ROOT)).encode())
                digest.update(file.read_bytes())
    return digest.hexdigest()
