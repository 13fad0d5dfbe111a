"""Stored bytes: encrypted, tied to their key, never under a name of a person's."""

from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from apps.core.errors import NotFound, TooLarge
from apps.documents import selectors, storage, sweeping
from apps.tenants.context import tenant_context
from tests.factories.desk import make_desk
from tests.factories.documents import upload

TENANT = uuid4()


def stored(data: bytes) -> storage.StoredBytes:
    return storage.write(tenant_id=TENANT, chunks=[data], limit=10_000_000)


@given(st.integers(0, 200_000), st.integers(1, 70_000))
@hypothesis_settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_bytes_come_back_whatever_their_length_and_pieces(length: int, piece: int) -> None:
    data = bytes(i % 251 for i in range(length))
    pieces = [data[i : i + piece] for i in range(0, length, piece)]

    kept = storage.write(tenant_id=TENANT, chunks=pieces, limit=10_000_000)

    assert b"".join(storage.read(kept.key)) == data
    assert kept.size == length
    storage.delete(kept.key)


def test_nothing_of_the_content_stands_in_the_file() -> None:
    kept = stored(b"a very recognisable sentence " * 100)

    assert b"recognisable" not in (Path(settings.FILES_DIRECTORY) / kept.key).read_bytes()


@pytest.mark.parametrize("damage", ["flip", "cut", "swap"])
def test_damage_is_noticed(damage: str) -> None:
    kept = stored(b"x" * 200_000)
    path = Path(settings.FILES_DIRECTORY) / kept.key
    data = bytearray(path.read_bytes())
    chunk = 64 * 1024 + 16
    if damage == "flip":
        data[1000] ^= 1
    elif damage == "cut":
        del data[23 + chunk :]
    else:
        data[23 : 23 + chunk], data[23 + chunk : 23 + 2 * chunk] = (
            data[23 + chunk : 23 + 2 * chunk],
            data[23 : 23 + chunk],
        )
    path.write_bytes(data)

    with pytest.raises(storage.DamagedFile):
        list(storage.read(kept.key))


def test_a_file_does_not_decrypt_under_another_organisations_key() -> None:
    kept = stored(b"ours")
    foreign = kept.key.replace(str(TENANT), str(uuid4()))
    path = Path(settings.FILES_DIRECTORY) / foreign
    path.parent.mkdir(parents=True)
    (Path(settings.FILES_DIRECTORY) / kept.key).rename(path)

    with pytest.raises(storage.DamagedFile):
        list(storage.read(foreign))


def test_a_rotated_key_still_reads_old_files(settings: Any) -> None:
    kept = stored(b"old")
    settings.FILE_KEYS = [b"n" * 32, *settings.FILE_KEYS]

    assert b"".join(storage.read(kept.key)) == b"old"


def test_too_much_leaves_nothing_behind() -> None:
    tenant = uuid4()

    with pytest.raises(TooLarge):
        storage.write(tenant_id=tenant, chunks=iter([b"x" * 50] * 3), limit=100)

    assert not [p for p in (Path(settings.FILES_DIRECTORY) / str(tenant)).rglob("*") if p.is_file()]


@pytest.mark.parametrize("key", ["../../etc/passwd", "/etc/passwd", "a/b/c", ""])
def test_only_keys_of_ours_become_paths(key: str) -> None:
    with pytest.raises(ValueError, match="not a storage key"):
        storage.read(key)


def test_a_missing_file_is_not_found() -> None:
    kept = stored(b"gone")
    storage.delete(kept.key)

    with pytest.raises(NotFound):
        storage.read(kept.key)


@pytest.mark.django_db(transaction=True)
def test_bytes_that_no_row_knows_are_swept_and_others_stay() -> None:
    desk = make_desk()
    kept = upload(desk.member, desk.shared, "a.txt", b"known")
    orphan = storage.write(tenant_id=desk.tenant_id, chunks=[b"unknown"], limit=100)
    partial = (Path(settings.FILES_DIRECTORY) / orphan.key).with_suffix(".partial")
    partial.touch()

    young = sweeping.sweep_files(tenant_id=desk.tenant_id)
    removed = sweeping.sweep_files(tenant_id=desk.tenant_id, age=timedelta(0))

    assert (young, removed) == (0, 1)
    assert not storage.exists(orphan.key)
    assert not partial.exists()
    with tenant_context(desk.tenant_id):
        assert b"".join(selectors.original(actor=desk.member, document_id=kept.id).chunks) == b"known"
