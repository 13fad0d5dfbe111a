from typing import Any

from django.apps import AppConfig

_answers_here = False


class AgentsConfig(AppConfig):
    name = "apps.agents"

    def ready(self) -> None:
        from celery.signals import worker_init, worker_process_init

        worker_init.connect(import_graph, dispatch_uid="agents.import_graph")
        worker_process_init.connect(load_model, dispatch_uid="agents.load_model")


def import_graph(sender: Any = None, **_kwargs: Any) -> None:  # Any: Celery's signal arguments
    """The worker of answers imports LangGraph once, before it forks; no other process pays for it."""
    if str(getattr(sender, "hostname", sender)).startswith("answers@"):
        global _answers_here
        import apps.agents.coordinator  # noqa: F401

        _answers_here = True


def load_model(**_kwargs: Any) -> None:
    """Each process of that worker loads the embedding model after the fork, so that no first question waits."""
    if _answers_here:
        from apps.providers import embedding

        if embedding.is_available():
            embedding.embed_query("warm")
