from django.apps import AppConfig


class ChatConfig(AppConfig):
    name = "apps.chat"

    def ready(self) -> None:
        from apps.chat import answering, live, notices, services
        from apps.chat.contracts import ANSWER_KIND
        from apps.documents import followers
        from apps.jobs import followers as job_followers
        from apps.jobs import kinds, topics
        from apps.jobs.contracts import Queue

        kinds.register(
            kinds.JobKind(
                name=ANSWER_KIND,
                queue=Queue.ANSWERS,
                run=answering.run_answer,
                may_see=answering.may_see,
                render_event=answering.render_event,
                on_failed=answering.mark_failed,
                on_cancelled=answering.mark_stopped,
            )
        )
        followers.register(
            followers.DocumentFollower(
                name="chat",
                hide=services.scrub_document,
                deleted=services.scrub_records,
                moved=services.follow_moved_pages,
            )
        )
        job_followers.register(notices.follow)
        topics.register(topics.Topic(name="desk", look=live.look_at_desk))
        topics.register(topics.Topic(name="inbox", look=live.look_at_inbox))
