from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('documents', '0005_bin_versions'),
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
