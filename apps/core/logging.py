"""Log lines: time, level, logger, message, ids. No document text, question, answer, key or address above DEBUG."""

import json
import logging
import re

_SECRETS = re.compile(
    r"(?i)((?:access_key|api_?key|appid|token|password|secret|authorization)[\"']?\s*[=:]\s*[\"']?(?:bearer\s+)?)([^\s\"'&,;]+)"
    r"|(?<=://)[^/@\s]+:[^/@\s]+(?=@)"
)
_KEYS_IN_PATHS = re.compile(r"(/(?:setup|invitations|password/reset/key|confirm-email)/)[^/\s\"?]{8,}")


class LineFormatter(logging.Formatter):
    """One JSON object a line; line breaks in values are escaped, secrets in text are masked."""

    def format(self, record: logging.LogRecord) -> str:
        fields: dict[str, object] = {
            "at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname,
            "logger": record.name,
            "message": mask_secrets(record.getMessage()),
        }
        for name in ("tenant_id", "job_id", "document_id", "user_id", "attempt", "code"):
            value = getattr(record, name, None)
            if value is not None:
                fields[name] = str(value)
        if record.exc_info:
            fields["trace"] = mask_secrets(self.formatException(record.exc_info))
        return json.dumps(fields, ensure_ascii=False)


def mask_secrets(text: str) -> str:
    """Without keys, passwords, and the one-time keys that stand in addresses."""
    text = _KEYS_IN_PATHS.sub(r"\1***", text)
    return _SECRETS.sub(lambda match: f"{match.group(1) or ''}***", text)
