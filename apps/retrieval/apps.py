from django.apps import AppConfig


class RetrievalConfig(AppConfig):
    name = "apps.retrieval"

    def ready(self) -> None:
        from apps.documents import followers
        from apps.retrieval import services

        followers.register(
            followers.DocumentFollower(
                name="retrieval",
                hide=lambda _document_id, version_ids: services.forget_versions(version_ids=version_ids),
                superseded=lambda _document_id, version_ids: services.forget_versions(version_ids=version_ids),
            )
        )
