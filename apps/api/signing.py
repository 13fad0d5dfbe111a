"""Signatures of webhooks, after the Standard Webhooks specification (standardwebhooks.com), version 1.

`webhook-signature: v1,` + base64 of HMAC-SHA256 over `id.timestamp.body`; the key is what follows `whsec_`, base64.
A receiver compares in constant time and refuses a timestamp that is older than some minutes.
"""

import base64
import hashlib
import hmac
import secrets

PREFIX = "whsec_"


def fresh_secret() -> str:
    return PREFIX + base64.b64encode(secrets.token_bytes(32)).decode()


def signature(*, secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(PREFIX))
    content = f"{message_id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
