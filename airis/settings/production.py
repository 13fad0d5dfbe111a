"""A real installation behind TLS. Refuses to start with demo accounts or keys it made itself."""

from airis.settings import env
from airis.settings.base import *  # noqa: F403

if not env.secret("AIRIS_SECRET_KEY"):
    raise env.ConfigurationError("airis.E010", "AIRIS_SECRET_KEY is not set.", "Set a long random value.")
if not env.secret("AIRIS_FILE_KEYS"):
    raise env.ConfigurationError(
        "airis.E011", "AIRIS_FILE_KEYS is not set.", "Set a long random value and keep a copy."
    )
if DEMO:  # noqa: F405
    raise env.ConfigurationError("airis.E012", "The demo is on.", "Set AIRIS_DEMO=0.")

if HAS_MAIL and not env.text("AIRIS_BASE_URL", "").startswith("https://"):  # noqa: F405
    raise env.ConfigurationError(
        "airis.E017", "AIRIS_BASE_URL is not an https:// address.", "Mails carry links: give the public address."
    )
WEAK = ("change", "secret", "example", "default", "password", "insecure")
for name in ("AIRIS_SECRET_KEY", "AIRIS_FILE_KEYS"):
    for key in env.secret(name).split(","):
        if len(key) < 32 or len(set(key)) < 10 or any(word in key.lower() for word in WEAK):
            raise env.ConfigurationError(
                "airis.E013",
                f"{name} holds a key that is short or out of an example.",
                "Make one: python -c 'import secrets; print(secrets.token_urlsafe(48))'.",
            )

IS_PRODUCTION = True  # apps/*/checks.py refuse demo accounts and a superuser database role
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True
LANGUAGE_COOKIE_SECURE = True
SECURE_SSL_REDIRECT = True
SECURE_REDIRECT_EXEMPT = ["^healthz$", "^readyz$", "^metrics$"]  # asked from inside, without TLS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_HSTS_SECONDS = 31_536_000
