"""What open pages watch (jobs.topics): the desk with its conversation, and the number of unread notices."""

from uuid import UUID

from django.template.loader import render_to_string

from apps.accounts.contracts import Actor
from apps.chat import notices, selectors
from apps.chat.contracts import ConversationView
from apps.chat.desks import revisions
from apps.core.errors import NotFound
from apps.jobs.topics import TopicView


def look_at_desk(actor: Actor, about: str, after: int) -> TopicView | None:
    """`about`: "", a conversation, or "conversation/question" for the branch through that question.

    A conversation that is gone, or was never the person's, is shown as gone.
    """
    revision, _ = revisions(person_id=actor.user_id)
    if revision == after:
        return None
    conversation, is_gone = _conversation(actor, about)
    context = {
        "tenant_slug": actor.tenant_slug,
        "conversations": selectors.list_conversations(actor=actor),
        "conversation": conversation,
        "conversation_id": conversation.summary.id if conversation else None,
        "is_gone": is_gone,
        "is_live": True,
    }
    return TopicView(revision, render_to_string("chat/_desk.html", context))


def look_at_inbox(actor: Actor, about: str, after: int) -> TopicView | None:
    """`about`: the address of the page the person looks at, "" while its tab is hidden. What it shows is read."""
    _, revision = revisions(person_id=actor.user_id)
    if revision == after:
        return None
    if notices.see(actor=actor, path=about):
        _, revision = revisions(person_id=actor.user_id)
    context = {"tenant_slug": actor.tenant_slug, "unread": notices.count_unread(actor=actor)}
    return TopicView(revision, render_to_string("chat/_bell.html", context))


def _conversation(actor: Actor, about: str) -> tuple[ConversationView | None, bool]:
    """The branch, and whether it is gone."""
    if not about:
        return None, False
    conversation_id, _, at = about.partition("/")
    try:
        found = selectors.get_conversation(
            actor=actor, conversation_id=UUID(conversation_id), at=UUID(at) if at else None
        )
    except (ValueError, NotFound):
        return None, True
    return found, False
