"""System checks of people that stop a wrong start (ids are listed in docs/configuration.md)."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register


@register(Tags.database)
def no_demo_accounts(databases: Any = None, **_kwargs: Any) -> list[CheckMessage]:
    """Production has nobody whose password is public."""
    from apps.accounts.models import User

    if not settings.IS_PRODUCTION or not databases or settings.AS_OWNER:
        return []
    if not User.objects.filter(is_demo=True).exists():
        return []
    return [
        Error(
            "Demo people with a public password are in the database.",
            hint="Remove them: manage.py remove_demo, or start with an empty database.",
            id="airis.E014",
        )
    ]
