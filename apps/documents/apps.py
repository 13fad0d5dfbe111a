from django.apps import AppConfig


class DocumentsConfig(AppConfig):
    name = "apps.documents"

    def ready(self) -> None:
        from apps.documents.purging import register_kind

        register_kind()
