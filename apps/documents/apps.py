from django.apps import AppConfig


class DocumentsConfig(AppConfig):
    name = "apps.documents"
