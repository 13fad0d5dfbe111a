"""Makes an organisation and its first owner. A person who is unknown gets a link to come in by."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.accounts import invitations, setup
from apps.accounts.models import normalise_email
from apps.core.errors import AirisError


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="name of the organisation")
        parser.add_argument("--owner", required=True, metavar="EMAIL", help="address of its first owner")
        parser.add_argument("--slug", default="", help="its part of addresses; made from the name otherwise")

    def handle(self, *args: Any, **options: Any) -> None:
        email = normalise_email(options["owner"])
        if "@" not in email:
            raise CommandError(f"{options['owner']} is not an e-mail address")
        try:
            tenant_id, is_known = setup.found(organisation=options["name"], slug=options["slug"], email=email)
            if is_known:
                self.stdout.write(f"{email} owns {options['name']} and signs in as before.")
                return
            path = invitations.invite_owner(tenant_id=tenant_id, email=email)
        except AirisError as exc:
            raise CommandError(str(exc.message)) from exc
        self.stdout.write(f"{options['name']} stands. Its owner comes in by this link, once, within")
        self.stdout.write(f"{settings.INVITATION_LIFETIME.days} days:\n\n  {settings.BASE_URL}{path}\n")
