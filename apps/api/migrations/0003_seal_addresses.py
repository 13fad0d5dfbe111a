"""Addresses of webhooks that stood in clear are sealed."""

import hashlib
from urllib.parse import urlsplit

from apps.core.secrets import seal, unseal
from apps.tenants.rls import for_each_tenant
from django.db import migrations


def shown(address):
    parts = urlsplit(address)
    return address if len(parts.path) <= 16 else f"{parts.scheme}://{parts.netloc}/…{parts.path[-4:]}"


def seal_addresses(apps, schema_editor):
    def work(tenant_id):
        webhooks = apps.get_model("api", "Webhook").objects
        for row in webhooks.filter(tenant_id=tenant_id):
            webhooks.filter(pk=row.pk, tenant_id=tenant_id).update(
                sealed_url=seal(row.url), url_digest=hashlib.sha256(row.url.encode()).hexdigest(), shown_url=shown(row.url)
            )

    for_each_tenant(apps, schema_editor, work)


def open_addresses(apps, schema_editor):
    def work(tenant_id):
        webhooks = apps.get_model("api", "Webhook").objects
        for row in webhooks.filter(tenant_id=tenant_id):
            webhooks.filter(pk=row.pk, tenant_id=tenant_id).update(url=unseal(row.sealed_url))

    for_each_tenant(apps, schema_editor, work)


class Migration(migrations.Migration):

    dependencies = [
        ("api", "0002_sealed_addresses"),
    ]

    operations = [
        migrations.RunPython(seal_addresses, open_addresses),
    ]
