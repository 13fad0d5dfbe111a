from django.apps import AppConfig
from django.db.backends.signals import connection_created


class TenantsConfig(AppConfig):
    name = "apps.tenants"

    def ready(self) -> None:
        from apps.tenants.guard import guard_connection

        connection_created.connect(guard_connection, dispatch_uid="tenants.guard")
