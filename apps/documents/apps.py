from django.apps import AppConfig


class DocumentsConfig(AppConfig):
    name = "apps.documents"

    def ready(self) -> None:
        from apps.documents import followers, metadata_store
        from apps.documents.purging import register_kind

        register_kind()
        followers.register(followers.DocumentFollower(name="metadata", deleted=metadata_store.forget_versions))
