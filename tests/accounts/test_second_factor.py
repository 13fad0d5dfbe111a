"""Guessing is bounded, second factors are asked for and kept sealed, sign-ins can be ended, mails say the same."""

from typing import Any
from uuid import uuid4

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.core import mail
from django.test import Client

from apps.accounts import services
from apps.accounts.contracts import Actor
from apps.accounts.models import User
from apps.accounts.sessions import device_of
from apps.core.secrets import unseal
from apps.tenants import audit
from apps.tenants.context import tenant_context
from tests.factories.people import PASSWORD, email_of, make_actor, make_organisation, signed_in, slug_of

pytestmark = pytest.mark.django_db(transaction=True)
DOOR, API_DOOR = "/accounts/login/", "/api/v1/sign-in/"


def code_for(secret: str) -> str:
    """The code of this half minute; a little clock drift is allowed, so a test may cross its end."""
    return format_hotp_value(hotp_value(secret, list(yield_hotp_counters_from_time())[1]))


def switch_on(actor: Actor) -> str:
    """The secret of a second factor that the person switched on by the pages."""
    browser = signed_in(actor)
    browser.post("/accounts/reauthenticate/?next=/accounts/2fa/totp/activate/", {"password": PASSWORD})
    secret = str(browser.get("/accounts/2fa/totp/activate/").context["form"].secret)
    done = browser.post("/accounts/2fa/totp/activate/", {"code": code_for(secret)})
    assert done.headers["Location"] == "/accounts/2fa/recovery-codes/"
    return secret


def words_of(reply: Any) -> str:
    return " ".join(reply.context["failures"])


def test_guessing_at_one_account_stops_and_unknown_accounts_answer_the_same() -> None:
    known, unknown = email_of(make_actor(make_organisation())), f"{uuid4().hex}@example.org"
    answers = {}

    for email in (known, unknown):
        replies = [
            Client(REMOTE_ADDR=f"10.9.{n}.{email == known:d}").post(DOOR, {"login": email, "password": "guess"})
            for n in range(6)
        ]
        answers[email] = [(reply.status_code, words_of(reply)) for reply in replies]
    right = Client(REMOTE_ADDR="10.9.9.9").post(DOOR, {"login": known, "password": PASSWORD})
    api = Client(REMOTE_ADDR="10.9.9.8").post(API_DOOR, {"email": known, "password": PASSWORD}, "application/json")

    assert answers[known] == answers[unknown]
    assert "Too many attempts" in answers[known][5][1]
    assert "Too many attempts" in words_of(right)
    assert (api.status_code, api.json()["code"]) == (429, "too_many")


def test_guessing_from_one_address_stops_whatever_the_account() -> None:
    client = Client(REMOTE_ADDR=f"2001:db8:{uuid4().hex[:4]}::1")

    replies = [client.post(DOOR, {"login": f"{uuid4().hex}@example.org", "password": "x"}) for _ in range(31)]

    assert "Too many attempts" not in words_of(replies[29])
    assert "Too many attempts" in words_of(replies[30])


def test_the_second_factor_is_asked_for_sealed_and_each_code_counts_once() -> None:
    tenant_id = make_organisation()
    actor = make_actor(tenant_id)
    secret = switch_on(actor)
    row = Authenticator.objects.get(user_id=actor.user_id, type="totp")
    home, browser = f"/t/{slug_of(tenant_id)}/", Client(REMOTE_ADDR="10.8.0.1")
    sign_in = {"login": email_of(actor), "password": PASSWORD}

    half = browser.post(DOOR, sign_in)
    behind = browser.get(home).status_code
    wrong = browser.post(half.headers["Location"], {"code": "000000"})
    code = code_for(secret)
    right = browser.post(half.headers["Location"], {"code": code})
    again = Client(REMOTE_ADDR="10.8.0.2")
    again.post(DOOR, sign_in)
    replayed = again.post("/accounts/2fa/authenticate/", {"code": code})

    assert (half.headers["Location"], behind, wrong.status_code) == ("/accounts/2fa/authenticate/", 302, 200)
    assert (right.status_code, browser.get(home).status_code) == (302, 200)
    assert (replayed.status_code, again.get(home).status_code) == (200, 302)
    assert secret not in str(row.data)
    assert unseal(row.data["secret"]) == secret
    with tenant_context(tenant_id):
        assert "person.second_factor_added" in audit.list_actions()


def test_recovery_codes_open_once_and_the_api_wants_a_code_too() -> None:
    actor = make_actor(make_organisation())
    switch_on(actor)
    codes = Authenticator.objects.get(user_id=actor.user_id, type="recovery_codes").wrap().get_unused_codes()
    body = {"email": email_of(actor), "password": PASSWORD}

    def knock(**more: str) -> tuple[int, str]:
        reply = Client(REMOTE_ADDR="10.8.1.1").post(API_DOOR, body | more, "application/json")
        return reply.status_code, reply.json().get("code", "")

    assert knock() == (400, "code_needed")
    assert knock(code="123456") == (400, "code_wrong")
    assert knock(code=codes[0])[0] == 201
    assert knock(code=codes[0]) == (400, "code_wrong")


def test_own_sign_ins_are_listed_and_ended_and_nobody_elses() -> None:
    tenant_id = make_organisation()
    actor, other = make_actor(tenant_id), make_actor(tenant_id)
    laptop, phone, stranger = signed_in(actor), signed_in(actor), signed_in(other)
    listed = laptop.get("/account/").context["sessions"]
    phone_id = next(s.id for s in listed if not s.is_current)
    address = f"/account/sessions/{phone_id}/end/"

    foreign, unknown = stranger.post(address), stranger.post("/account/sessions/987654321/end/")
    laptop.post(address)

    assert [s.device for s in listed] == ["Firefox · Linux"] * 2
    assert (foreign.status_code, unknown.status_code) == (404, 404)
    assert (phone.get("/account/").status_code, laptop.get("/account/").status_code) == (302, 200)
    assert Client().post(address).status_code == 302


def test_a_changed_password_ends_the_other_sign_ins_and_tokens() -> None:
    tenant_id = make_organisation()
    actor = make_actor(tenant_id)
    token, _row = services.issue_token(user_id=actor.user_id, tenant_id=tenant_id, label="t")
    here, there = signed_in(actor), signed_in(actor)
    new = "a wholly new sentence"

    here.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": new, "password2": new})

    assert (here.get("/account/").status_code, there.get("/account/").status_code) == (200, 302)
    assert Client().get("/api/v1/jobs/", HTTP_AUTHORIZATION=f"Bearer {token}").status_code == 401


def test_asking_for_a_new_password_tells_nobody_whether_the_address_is_known(settings: Any) -> None:
    settings.HAS_MAIL = True
    email = email_of(make_actor(make_organisation()))
    answers = []

    for asked in (email, f"{uuid4().hex}@example.org"):
        reply = Client(REMOTE_ADDR="10.8.2.1").post("/accounts/password/reset/", {"email": asked}, follow=True)
        answers.append((reply.status_code, reply.redirect_chain, reply.content.count(b"on its way")))

    assert answers[0] == answers[1]
    assert [len(letter.to) for letter in mail.outbox] == [1, 1]  # both get one: the same work
    assert ("/password/reset/key/" in mail.outbox[0].body, "/key/" in mail.outbox[1].body) == (True, False)


def test_without_mail_the_page_says_so_and_nothing_is_sent() -> None:
    page = Client().get("/accounts/password/reset/")
    email = email_of(make_actor(make_organisation()))
    Client(REMOTE_ADDR="10.8.3.1").post("/accounts/password/reset/", {"email": email})

    assert b"sends no mail" in page.content
    assert mail.outbox == []


def test_with_mail_an_unconfirmed_address_is_confirmed_before_the_first_sign_in(settings: Any) -> None:
    settings.HAS_MAIL, settings.ACCOUNT_EMAIL_VERIFICATION = True, "mandatory"
    email = f"{uuid4().hex}@example.org"
    user_id = services.create_person(email=email, name="New", password=PASSWORD, is_confirmed=False)
    browser = Client(REMOTE_ADDR="10.8.4.1")
    sign_in = {"login": email, "password": PASSWORD}

    held = browser.post(DOOR, sign_in)
    link = next(word for word in mail.outbox[0].body.split() if "/confirm-email/" in word)
    browser.post(link.removeprefix("http://testserver"))
    through = browser.post(DOOR, sign_in)

    assert held.headers["Location"] == "/accounts/confirm-email/"
    assert (through.status_code, through.headers["Location"]) == (302, "/")
    assert User.objects.filter(id=user_id, last_login__isnull=False).exists()


@pytest.mark.parametrize(
    ("agent", "expected"),
    [
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Safari/604",
            "Safari · iPhone",
        ),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537 Chrome/140.0 Safari/537 Edg/140.0", "Edge · Windows"),
        ("curl/8", ""),
    ],
)
def test_a_device_is_named_in_two_words(agent: str, expected: str) -> None:
    assert device_of(agent) == expected
