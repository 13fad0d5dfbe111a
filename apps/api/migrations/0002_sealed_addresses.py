"""Addresses of webhooks get sealed columns; those that stand in clear are carried over by the next migration."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("api", "0001_webhooks"),
    ]

    operations = [
        migrations.AddField("webhook", "sealed_url", models.TextField(default=""), preserve_default=False),
        migrations.AddField("webhook", "url_digest", models.CharField(default="", max_length=64), preserve_default=False),
        migrations.AddField("webhook", "shown_url", models.CharField(default="", max_length=300), preserve_default=False),
    ]
