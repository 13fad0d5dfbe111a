"""Makes .venv and installs the locked requirements. Runs on any Python, so that an old one gets a sentence,
not a traceback: standard library only, no syntax newer than Python 3.6.
"""

import hashlib
import os
import platform
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
VENV = os.path.join(ROOT, ".venv")
VENV_PYTHON = os.path.join(VENV, "bin", "python")
SUPPORTED = {("Linux", "x86_64"), ("Linux", "aarch64"), ("Darwin", "arm64")}


def refuse(sentence):
    sys.stderr.write("AIris: " + sentence + "\n")
    raise SystemExit(2)


def check_machine():
    if sys.version_info < (3, 11):
        refuse(
            "needs Python 3.11 or newer, this is %d.%d. Install one and run `make run PYTHON=python3.11`; "
            "nothing has been installed." % sys.version_info[:2]
        )
    here = (platform.system(), platform.machine())
    if here not in SUPPORTED:
        refuse(
            "the embedded services exist for Linux (x86-64, arm64) and macOS (arm64), not for %s %s; "
            "nothing has been installed." % here
        )
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        refuse("this Python lacks venv (on Debian: apt install python3-venv); nothing has been installed.")


def digest_of(paths):
    digest = hashlib.sha256(sys.version.encode())
    for path in paths:
        with open(path, "rb") as file:
            digest.update(file.read())
    return digest.hexdigest()


def install(with_dev):
    locks = [os.path.join(ROOT, "requirements", "base.txt")]
    if with_dev:
        locks.append(os.path.join(ROOT, "requirements", "dev.txt"))
    marker = os.path.join(VENV, ".airis-dev" if with_dev else ".airis-base")
    wanted = digest_of(locks)
    if os.path.exists(VENV_PYTHON) and os.path.exists(marker):
        with open(marker) as file:
            if file.read() == wanted:
                return
    if not os.path.exists(VENV_PYTHON):
        print("AIris: making the virtual environment .venv")
        subprocess.check_call([sys.executable, "-m", "venv", VENV])
    print("AIris: installing the locked requirements (once; a few hundred MB, one to three minutes)")
    sys.stdout.flush()
    command = [VENV_PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes"]
    for lock in locks:
        command += ["-r", lock]
    if subprocess.call(command) != 0:
        refuse("the requirements could not be installed; the lines above say why. Run the command again to retry.")
    with open(marker, "w") as file:
        file.write(wanted)
    if with_dev:  # the development locks hold the base ones too
        with open(os.path.join(VENV, ".airis-base"), "w") as file:
            file.write(digest_of(locks[:1]))


if __name__ == "__main__":
    check_machine()
    install("--dev" in sys.argv[1:])
