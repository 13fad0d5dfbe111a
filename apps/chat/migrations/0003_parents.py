"""Questions asked before branches existed follow one another."""

from apps.tenants.rls import for_each_tenant
from django.db import migrations


def chain(apps, schema_editor):
    def work(tenant_id):
        schema_editor.execute(
            "UPDATE chat_message m SET parent_id = ("
            "SELECT p.id FROM chat_message p WHERE p.conversation_id = m.conversation_id AND p.ordinal < m.ordinal "
            "ORDER BY p.ordinal DESC LIMIT 1) WHERE m.tenant_id = %s AND m.parent_id IS NULL",
            [str(tenant_id)],
        )

    for_each_tenant(apps, schema_editor, work)


class Migration(migrations.Migration):

    dependencies = [
        ("chat", "0002_desk"),
    ]

    operations = [
        migrations.RunPython(chain, migrations.RunPython.noop),
    ]
