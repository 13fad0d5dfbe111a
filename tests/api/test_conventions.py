"""What all of the API has in common: problem details, idempotency keys, cursors, ETags."""

import json
from base64 import urlsafe_b64encode
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connections
from django.test import Client

from apps.accounts import services
from apps.accounts.contracts import Actor, GrantLevel, Role
from apps.accounts.models import Collection
from apps.tenants.context import tenant_context
from tests.factories.desk import Desk, make_desk
from tests.factories.documents import ingest
from tests.factories.people import make_actor, make_collection, make_organisation

pytestmark = pytest.mark.django_db(transaction=True)


def client_of(actor: Actor) -> Client:
    token, _ = services.issue_token(user_id=actor.user_id, tenant_id=actor.tenant_id, label="test")
    return Client(headers={"authorization": f"Bearer {token}"})


def post(client: Client, path: str, body: Any, key: str = "") -> Any:
    headers = {"idempotency-key": key} if key else {}
    return client.post(f"/api/v1/{path}", body, content_type="application/json", headers=headers)


def upload(client: Client, collection: Any, content: bytes, key: str, name: str = "a.txt") -> Any:
    form = {"collection_id": str(collection), "file": SimpleUploadedFile(name, content)}
    return client.post("/api/v1/documents/", form, headers={"idempotency-key": key})


FAR_CURSOR = urlsafe_b64encode(b'["0001-01-01T00:00:00+23:59", "00000000-0000-0000-0000-000000000001"]').decode()


@pytest.mark.parametrize(
    ("method", "path", "body", "kind", "status"),
    [
        ("get", "nowhere/", None, "application/json", 404),
        ("get", "documents/1/", None, "application/json", 404),
        ("put", "me/", "{}", "application/json", 405),
        ("post", "questions/", "<a/>", "text/xml", 415),
        ("post", "questions/", "{", "application/json", 400),
        ("post", "questions/", "{}", "application/json", 400),
        ("post", "documents/", "{}", "application/json", 415),
        ("post", "documents/", "no boundary", "multipart/form-data", 400),
        ("get", "documents/?cursor=!", None, "application/json", 400),
        ("get", "members/?cursor=WzFd", None, "application/json", 400),
        ("get", "jobs/?limit=0", None, "application/json", 400),
        ("get", f"jobs/?cursor={FAR_CURSOR}", None, "application/json", 400),
    ],
)
def test_every_error_is_problem_details(method: str, path: str, body: Any, kind: str, status: int) -> None:
    client = client_of(make_actor(make_organisation(), Role.OWNER))

    reply = client.generic(method.upper(), f"/api/v1/{path}", body or "", content_type=kind)

    assert (reply.status_code, reply["Content-Type"]) == (status, "application/problem+json")
    problem = reply.json()
    assert (problem["type"], problem["status"]) == ("about:blank", status)
    assert all(problem[name] for name in ("code", "title", "detail"))


def test_nobody_gets_problem_details_too_and_is_told_how_to_sign_in() -> None:
    reply = Client().get("/api/v1/me/")

    assert (reply.status_code, reply["WWW-Authenticate"]) == (401, "Bearer")
    assert reply["Content-Type"] == "application/problem+json"


def test_a_repeated_key_gets_the_first_answer_and_another_body_is_refused() -> None:
    client = client_of(make_actor(make_organisation(), Role.OWNER))

    first = post(client, "collections/", {"name": "Ledgers"}, key="one")
    again = post(client, "collections/", {"name": "Ledgers"}, key="one")
    other = post(client, "collections/", {"name": "Policies"}, key="one")
    failed = [post(client, "collections/", {"name": "Ledgers"}, key="two") for _ in range(2)]

    assert (first.status_code, again.status_code) == (201, 201)
    assert (again.json(), again["Idempotency-Replayed"]) == (first.json(), "true")
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")
    assert [reply.status_code for reply in failed] == [409, 409]  # an error is not kept


def test_what_is_shown_once_is_not_shown_again_by_its_key() -> None:
    client = client_of(make_actor(make_organisation(), Role.OWNER))
    wanted = {"label": "script", "scopes": ["read"], "days": 1}

    first, again = (post(client, "tokens/", wanted, key="t").json() for _ in range(2))

    assert first["token"].startswith("airis_")
    assert again == first | {"token": ""}


def test_keys_belong_to_a_person() -> None:
    tenant_id = make_organisation()
    names = ("Mine", "Yours")

    made = [
        post(client_of(make_actor(tenant_id, Role.OWNER)), "collections/", {"name": name}, key="same") for name in names
    ]

    assert [reply.json()["name"] for reply in made] == list(names)


def test_an_upload_with_a_key_is_one_document_and_other_bytes_are_refused() -> None:
    desk = make_desk()
    client = client_of(desk.member)

    first = upload(client, desk.shared, b"The price is 5 euro.", "u")
    again = upload(client, desk.shared, b"The price is 5 euro.", "u")
    other = upload(client, desk.shared, b"The price is 6 euro.", "u")
    refused = upload(client, desk.secret, b"The price is 7 euro.", "v")
    then = upload(client, desk.shared, b"The price is 7 euro.", "v")

    assert (first.status_code, again.status_code, other.status_code) == (201, 201, 422)
    assert first.json() == again.json()
    assert (refused.status_code, then.status_code) == (404, 201)  # a key whose request failed is free again


def test_two_at_once_with_one_key_make_one_thing() -> None:
    actor = make_actor(make_organisation(), Role.OWNER)
    client = client_of(actor)

    def make(_number: int) -> Any:
        try:
            return post(client, "collections/", {"name": "Once"}, key="k").json()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(make, range(2))

    assert first == second
    with tenant_context(actor.tenant_id):
        assert Collection.objects.filter(name="Once").count() == 1


def test_lists_are_read_whole_in_pieces() -> None:
    actor = make_actor(make_organisation(), Role.OWNER)
    for number in range(5):
        make_collection(actor, name=f"Collection {number}")
    client = client_of(actor)
    for number in range(5):
        post(client, "questions/", {"question": f"What is the price of lot {number}?"})

    for path, key in (("collections/", "id"), ("conversations/", "id"), ("jobs/", "id"), ("audit/events/", "id")):
        whole = [item[key] for item in client.get(f"/api/v1/{path}").json()["items"]]
        pieces, cursor = [], ""
        while cursor is not None:
            piece = client.get(f"/api/v1/{path}", {"limit": "2", "cursor": cursor}).json()
            assert len(piece["items"]) <= 2
            pieces += [item[key] for item in piece["items"]]
            cursor = piece["next"]
        assert len(whole) >= 5, path
        assert pieces == whole, path


def test_documents_pages_and_images_have_etags() -> None:
    desk = make_desk()
    document = ingest(desk.member, desk.shared, "blank.pdf")
    client = client_of(desk.reader)

    for path in ("", "pages/1/", "pages/1/image/?dpi=72", "original/"):
        url = f"/api/v1/documents/{document.id}/{path}"
        first = client.get(url)
        known = client.get(url, headers={"if-none-match": f'"other", W/{first["ETag"]}'})
        changed = client.get(url, headers={"if-none-match": '"other"'})
        assert (first.status_code, known.status_code, changed.status_code) == (200, 304, 200), path
        assert known["ETag"] == first["ETag"]
        for reply in (first, changed):
            assert b"".join(reply.streaming_content) if reply.streaming else reply.content
            reply.close()
        assert not known.content


def test_a_document_is_renamed_copied_listed_and_deleted() -> None:
    desk = make_desk()
    document = ingest(desk.member, desk.shared, "old.txt", b"The price is 5 euro.\n")
    second = make_collection(desk.admin, grants={desk.member: GrantLevel.CONTRIBUTE})
    client = client_of(desk.member)
    url = f"/api/v1/documents/{document.id}/"

    renamed = client.patch(url, {"name": "Price list.txt"}, content_type="application/json")
    copied = post(client, f"documents/{document.id}/copies/", {"collection_id": str(second)})
    found = client.get("/api/v1/documents/", {"name": "PRICE"}).json()["items"]
    nameless = client.patch(url, {"name": "  "}, content_type="application/json")
    client.delete(url)

    assert renamed.json()["name"] == "Price list.txt"
    assert copied.status_code == 201
    assert {item["collection_id"] for item in found} == {str(desk.shared), str(second)}
    assert nameless.status_code == 400
    assert client.get(url).status_code == 404
    assert len(client.get("/api/v1/documents/").json()["items"]) == 1


def test_people_groups_and_grants_are_managed_by_rest() -> None:
    desk = make_desk()
    client = client_of(desk.admin)
    person = str(desk.stranger.user_id)

    group = post(client, "groups/", {"name": "Credit"}).json()
    put(client, f"groups/{group['id']}/", {"name": "Credit", "user_ids": [person]})
    given = put(client, f"collections/{desk.shared}/grants/", {"group_id": group["id"], "level": "read"})
    listed = client.get(f"/api/v1/collections/{desk.shared}/grants/").json()["items"]
    reached = client_of(desk.stranger).get(f"/api/v1/collections/{desk.shared}/")
    put(client, f"collections/{desk.shared}/grants/", {"group_id": group["id"], "level": None})
    left = client_of(desk.stranger).get(f"/api/v1/collections/{desk.shared}/")
    link = post(client, "invitations/", {"email": "new@example.org", "role": "viewer"}).json()["link"]
    role = client.patch(f"/api/v1/members/{person}/", {"role": "viewer"}, content_type="application/json").json()

    assert given.status_code == 204
    assert {"user_id": None, "group_id": group["id"], "name": "Credit", "level": "read"} in listed
    assert (reached.status_code, left.status_code) == (200, 404)
    assert "/invitations/" in link
    assert role["role"] == "viewer"
    assert client.delete(f"/api/v1/members/{person}/").status_code == 204
    assert client.get(f"/api/v1/members/{person}/").json()["is_active"] is False


def test_sending_to_models_needs_to_be_understood() -> None:
    desk = make_desk()
    client = client_of(desk.admin)
    made = post(client, "models/", {"name": "Own", "base_url": "https://models.example.com/v1", "model": "m"})

    blind = put(client, "models/policy/", {"is_on": True})
    on = put(client, "models/policy/", {"is_on": True, "understood": True})

    assert made.status_code == 201
    assert "api_key" not in made.json()
    assert (blind.status_code, blind.json()["field"]) == (400, "understood")
    assert on.json()["is_on"] is True
    assert client.delete(f"/api/v1/models/{made.json()['id']}/").status_code == 204


def test_a_conversation_is_renamed_rated_and_deleted() -> None:
    desk: Desk = make_desk()
    client = client_of(desk.reader)
    asked = post(client, "questions/", {"question": "What is the price?"}).json()
    url = f"/api/v1/conversations/{asked['conversation_id']}/"

    client.patch(url, json.dumps({"title": "Prices"}), content_type="application/json")
    rated = put(client, f"questions/{asked['question_id']}/feedback/", {"kind": "helpful"})
    whole = client.get(url).json()
    client.delete(url)

    assert rated.status_code == 204
    assert (whole["title"], [q["id"] for q in whole["questions"]]) == ("Prices", [asked["question_id"]])
    assert client.get(url).status_code == 404


def put(client: Client, path: str, body: Any) -> Any:
    return client.put(f"/api/v1/{path}", body, content_type="application/json")


@pytest.mark.parametrize("body", ["[1]", "null", '"x"', "1"])
def test_a_body_that_is_no_object_is_refused_with_a_key_too(body: str) -> None:
    reply = post(client_of(make_actor(make_organisation(), Role.OWNER)), "questions/", body, key="k")

    assert (reply.status_code, reply["Content-Type"]) == (400, "application/problem+json")
