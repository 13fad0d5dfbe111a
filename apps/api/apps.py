from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "apps.api"

    def ready(self) -> None:
        from apps.api import deliveries
        from apps.api.contracts import DELIVER_KIND
        from apps.jobs import followers, kinds
        from apps.jobs.contracts import Queue

        kinds.register(
            kinds.JobKind(
                name=DELIVER_KIND,
                queue=Queue.OUTSIDE,
                run=deliveries.deliver,
                may_see=kinds.nobody,
                may_stop=kinds.nobody,
                on_failed=deliveries.mark_failed,
            )
        )
        followers.register(deliveries.follow)
