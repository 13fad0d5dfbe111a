"""Typed readers of environment variables. A wrong value stops the start with a check id and a hint."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

TRUE = {"1", "true", "yes", "on"}
FALSE = {"0", "false", "no", "off", ""}


class ConfigurationError(SystemExit):
    """Stops the start. Shown as "airis.E…: what is wrong. What to do."."""

    def __init__(self, check_id: str, problem: str, hint: str) -> None:
        super().__init__(f"{check_id}: {problem} {hint}")
        self.check_id = check_id


def text(name: str, default: str) -> str:
    return os.environ.get(name, default)


def secret(name: str) -> str:
    """The value of NAME, or the content of the file that NAME_FILE points to; "" when neither is set."""
    path = os.environ.get(f"{name}_FILE")
    if not path:
        return os.environ.get(name, "")
    try:
        return Path(path).read_text().strip()
    except OSError as exc:
        raise ConfigurationError(
            "airis.E002", f"{name}_FILE points to {path}, which cannot be read ({exc.strerror}).", "Correct the path."
        ) from exc


def boolean(name: str, *, default: bool) -> bool:
    value = os.environ.get(name)
    if value is None:
        return default
    if value.lower() in TRUE:
        return True
    if value.lower() in FALSE:
        return False
    raise ConfigurationError("airis.E003", f"{name} is {value!r}.", "Use 1 or 0.")


def integer(name: str, default: int, *, least: int, most: int) -> int:
    value = os.environ.get(name)
    if value is None:
        return default
    try:
        number = int(value)
    except ValueError:
        number = least - 1
    if not least <= number <= most:
        raise ConfigurationError("airis.E004", f"{name} is {value!r}.", f"Give a whole number from {least} to {most}.")
    return number


def database(name: str) -> dict[str, Any]:
    """Django's settings of one database out of a postgresql:// URL."""
    value = secret(name)
    hint = f"Set {name}=postgresql://user:password@host:5432/name, or start with `make run`, which sets it."
    if not value:
        raise ConfigurationError("airis.E001", f"{name} is not set.", hint)
    try:
        parts = urlsplit(value)
        port = parts.port
    except ValueError as exc:
        raise ConfigurationError("airis.E001", f"{name} is not a URL.", hint) from exc
    database_name = unquote(parts.path.lstrip("/"))
    if parts.scheme not in {"postgres", "postgresql"} or not database_name:
        raise ConfigurationError("airis.E001", f"{name} is not a PostgreSQL URL.", hint)
    query = {key: values[-1] for key, values in parse_qs(parts.query).items()}
    host = query.pop("host", parts.hostname or "")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": database_name,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": host,
        "PORT": str(port or ""),
        "OPTIONS": dict(query),
        "CONN_MAX_AGE": 0,
        "ATOMIC_REQUESTS": False,
    }


def valkey(name: str) -> str:
    value = secret(name)
    hint = f"Set {name}=redis://host:6379/0 or unix:///path/to/socket."
    if not value:
        raise ConfigurationError("airis.E005", f"{name} is not set.", hint)
    if urlsplit(value).scheme not in {"redis", "rediss", "unix"}:
        raise ConfigurationError("airis.E005", f"{name} is not a Valkey or Redis URL.", hint)
    return value


@dataclass(frozen=True, slots=True)
class MailServer:
    host: str
    port: int
    user: str
    password: str
    is_tls: bool  # from the first byte
    starts_tls: bool


def mail(name: str) -> MailServer | None:
    """The mail server of a smtp://, smtp+tls:// (STARTTLS) or smtps:// URL; None when there is none."""
    value = secret(name)
    if not value:
        return None
    hint = f"Set {name}=smtp+tls://user:password@host:587 (or smtps://, smtp://), or leave it out."
    try:
        parts = urlsplit(value)
        port = parts.port
    except ValueError as exc:
        raise ConfigurationError("airis.E006", f"{name} is not a URL.", hint) from exc
    ports = {"smtp": 25, "smtp+tls": 587, "smtps": 465}
    if parts.scheme not in ports or not parts.hostname:
        raise ConfigurationError("airis.E006", f"{name} is not a mail server's URL.", hint)
    return MailServer(
        host=parts.hostname,
        port=port or ports[parts.scheme],
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        is_tls=parts.scheme == "smtps",
        starts_tls=parts.scheme == "smtp+tls",
    )
