"""The clear column of a webhook's address goes."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("api", "0003_seal_addresses"),
    ]

    operations = [
        migrations.RemoveConstraint("webhook", "webhook_url"),
        migrations.AddConstraint(
            "webhook", models.UniqueConstraint(fields=("tenant", "url_digest"), name="webhook_url_digest")
        ),
        migrations.RemoveField("webhook", "url"),
    ]
