"""Web entry: bounded bodies, then Django for HTTP and the one consumer for sockets."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "airis.settings.development")

from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.core.asgi import get_asgi_application

django_application = get_asgi_application()

import airis.celery  # noqa: E402, F401  (tasks sent from a request reach the broker)
from airis.routing import websocket_urlpatterns  # noqa: E402
from apps.accounts.sockets import SessionAuthMiddleware  # noqa: E402
from apps.core.bodies import BoundedBodies  # noqa: E402

application = ProtocolTypeRouter(
    {
        "http": BoundedBodies(django_application),
        "websocket": AllowedHostsOriginValidator(SessionAuthMiddleware(URLRouter(websocket_urlpatterns))),
    }
)
