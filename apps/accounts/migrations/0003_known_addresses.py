"""Whoever signed in before addresses were confirmed by mail keeps doing so: their address counts as confirmed."""

from django.db import migrations


def add_addresses(apps, schema_editor):
    EmailAddress = apps.get_model("account", "EmailAddress")
    known = set(EmailAddress.objects.values_list("user_id", flat=True))
    EmailAddress.objects.bulk_create(
        EmailAddress(user_id=user_id, email=email, verified=True, primary=True)
        for user_id, email in apps.get_model("accounts", "User").objects.values_list("id", "email")
        if user_id not in known
    )


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_groups_invitations"),
        ("account", "0009_emailaddress_unique_primary_email"),
    ]

    operations = [migrations.RunPython(add_addresses, migrations.RunPython.noop)]
