from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "apps.accounts"

    def ready(self) -> None:
        from apps.accounts import checks, events  # noqa: F401  (checks registers itself)

        events.connect()
