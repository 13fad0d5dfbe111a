from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('documents', '0004_tracked_changes'),
    ]

    operations = [
        migrations.AddField(
            model_name='table',
            name='continues',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='table',
            name='confidence',
            field=models.PositiveSmallIntegerField(default=100),
        ),
    ]
