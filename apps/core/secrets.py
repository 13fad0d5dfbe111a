"""Short secrets kept in the database (second factors, keys of providers), sealed with the installation's key.

Sealed text is Fernet under a key derived from each of FILE_KEYS: the first seals, all open.
"""

import base64
from functools import lru_cache

from cryptography.fernet import Fernet, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings


def seal(text: str) -> str:
    """The text, readable with the installation's key alone."""
    return _box().encrypt(text.encode()).decode()


def unseal(sealed: str) -> str:
    """What was sealed. Raises cryptography.fernet.InvalidToken when the key is another."""
    return _box().decrypt(sealed.encode()).decode()


@lru_cache(maxsize=1)
def _box() -> MultiFernet:
    return MultiFernet([Fernet(base64.urlsafe_b64encode(_derived(key))) for key in settings.FILE_KEYS])


def _derived(key: bytes) -> bytes:
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=b"airis secrets").derive(key)
