from django.apps import AppConfig


class IngestionConfig(AppConfig):
    name = "apps.ingestion"

    def ready(self) -> None:
        from apps.ingestion.kinds import register_kinds

        register_kinds()
