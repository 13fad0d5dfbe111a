"""Prints a one-time link to a new password, for whoever runs the installation. Old sign-ins end when it is used."""

from typing import Any

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.accounts import members, services
from apps.accounts.models import User, normalise_email


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email")
        parser.add_argument(
            "--without-second-factor", action="store_true", help="remove a lost second factor and its recovery codes"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(email=normalise_email(options["email"]), is_active=True).first()
        if user is None:
            raise CommandError("nobody has this address")
        if options["without_second_factor"]:
            Authenticator.objects.filter(user=user).delete()
            services.record_of_person(user_id=user.pk, name="", action="person.second_factor_removed")
        self.stdout.write(f"Valid for a day, once:\n  {settings.BASE_URL}{members.password_path(user=user)}")
