"""The OpenAPI schema can be made without a warning and names every route."""

from pathlib import Path

from django.core.management import call_command


def test_the_schema_is_complete(tmp_path: Path) -> None:
    file = tmp_path / "schema.yml"

    call_command("spectacular", "--fail-on-warn", "--validate", "--file", str(file))

    for path in ("/api/v1/sign-in/", "/api/v1/documents/", "/api/v1/questions/{question_id}/events/", "/api/v1/jobs/"):
        assert path in file.read_text()
