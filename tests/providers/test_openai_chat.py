"""The OpenAI wire format against a local server: replies, failures by kind, and where nothing may be sent."""

import pytest

from apps.core.errors import InputError, ProviderError
from apps.providers.chat import ModelEndpoint
from apps.providers.chat.openai import OpenAIChat
from apps.providers.http import check_url, public_addresses
from tests.providers.openai_server import Turn, openai_server


def complete(base_url: str, settings, *, timeout_s: float = 10.0, deadline_s: float = 60.0, check=lambda: None):
    settings.PRIVATE_HOSTS = [base_url.split("/")[2]]
    chat = OpenAIChat(ModelEndpoint("Local", base_url, "local-7b", "key-1", timeout_s, deadline_s))
    try:
        return chat.complete(system="Be brief.", user="Ready?", most_tokens=50, check=check)
    finally:
        chat.close()


def test_a_reply_is_whole_and_the_request_says_what_was_asked(settings) -> None:
    with openai_server(Turn("Yes. " * 30)) as server:
        reply = complete(server.base_url, settings)

    assert reply.text == "Yes. " * 30
    assert (reply.model, reply.input_tokens, reply.output_tokens) == ("local-7b", 120, 30)
    (request,) = server.requests
    assert [message["role"] for message in request["messages"]] == ["system", "user"]
    assert (request["model"], request["max_tokens"], server.keys) == ("local-7b", 50, ["Bearer key-1"])


def test_a_server_error_is_tried_once_more(settings) -> None:
    with openai_server(Turn(status=500), Turn("Yes.")) as server:
        assert complete(server.base_url, settings).text == "Yes."

    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("turn", "code"),
    [
        (Turn(status=401), "model_refused_key"),
        (Turn(status=404), "model_unknown"),
        (Turn(status=429), "model_busy"),
        (Turn(status=400), "model_failed"),
        (Turn(status=503), "model_failed"),
        (Turn(body=b"<html>Proxy error</html>"), "model_broken"),
        (Turn(body=b'data: {"choices": null}\n\ndata: [DONE]\n\n'), "model_broken"),
        (Turn("half of", breaks=True), "model_broken"),
        (Turn("cut", finish="length"), "model_truncated"),
        (Turn("", finish="content_filter"), "model_refused"),
        (Turn("", refusal="I cannot"), "model_refused"),
        (Turn(hangs=True), "model_slow"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_goes_wrong_has_a_code(turn: Turn, code: str, settings) -> None:
    with openai_server(turn) as server, pytest.raises(ProviderError) as caught:
        complete(server.base_url, settings, timeout_s=0.5)

    assert caught.value.code == code


def test_signs_of_life_without_a_word_end_at_the_deadline(settings) -> None:
    with openai_server(Turn(drips=True)) as server, pytest.raises(ProviderError) as caught:
        complete(server.base_url, settings, deadline_s=0.5)

    assert caught.value.code == "model_slow"


@pytest.mark.parametrize("turn", [Turn(drips=True), Turn(hangs=True)], ids=["drips", "hangs"])
def test_a_stop_is_noticed_while_no_word_comes(turn: Turn, settings) -> None:
    class Stopped(Exception):
        pass

    looks = []

    def check() -> None:
        looks.append(1)
        if len(looks) > 2:
            raise Stopped

    with openai_server(turn) as server, pytest.raises(Stopped):
        complete(server.base_url, settings, check=check)


@pytest.mark.parametrize(
    "turn", [Turn(floods=400_000_000), Turn(body=b"{}" * 1000, packed=True)], ids=["endless", "packed"]
)
def test_a_reply_beyond_every_use_is_cut_off(turn: Turn, settings) -> None:
    with openai_server(turn) as server:
        with pytest.raises(ProviderError) as caught:
            complete(server.base_url, settings)

        assert caught.value.code == "model_broken"
        assert server.flooded < 40_000_000


def test_a_server_that_is_not_there_is_named_unreachable(settings) -> None:
    with openai_server(Turn("Yes.")) as server:
        base_url = server.base_url

    with pytest.raises(ProviderError) as caught:
        complete(base_url, settings)
    assert caught.value.code == "model_unreachable"


def test_a_stop_is_noticed_between_pieces(settings) -> None:
    class Stopped(Exception):
        pass

    def check() -> None:
        raise Stopped

    with openai_server(Turn("Yes. " * 100)) as server, pytest.raises(Stopped):
        complete(server.base_url, settings, check=check)


def test_the_own_network_is_closed_to_what_an_organisation_names(settings) -> None:
    settings.PRIVATE_HOSTS = []
    with openai_server(Turn("Yes.")) as server:
        chat = OpenAIChat(ModelEndpoint("Local", server.base_url, "m", ""))
        with pytest.raises(ProviderError) as caught:
            chat.complete(system="", user="", most_tokens=5, check=lambda: None)
        chat.close()

    assert caught.value.code == "host_forbidden"
    assert not server.requests


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:8000/v1",
        "https://127.0.0.1/v1",
        "https://localhost/v1",
        "https://169.254.169.254/latest",
        "https://[::1]/v1",
        "https://[::ffff:10.0.0.1]/v1",
        "https://10.1.2.3/v1",
        "https://2130706433/v1",
        "https://0x7f000001/v1",
        "https://127.1/v1",
        "https://0177.0.0.1/v1",
        "http://models.example.com/v1",
        "ftp://models.example.com",
        "https://user:pass@models.example.com/v1",
        "https://models.example.com/v1?key=1",
        "https://models.example.com:99999/v1",
        "models.example.com",
        "",
    ],
)
def test_addresses_that_may_not_be_used_are_refused_with_a_reason(url: str, settings) -> None:
    settings.PRIVATE_HOSTS = []

    with pytest.raises(InputError) as caught:
        check_url(url, field="base_url")
    assert caught.value.field == "base_url"


def test_the_operator_s_exception_is_one_host_and_port(settings) -> None:
    settings.PRIVATE_HOSTS = ["127.0.0.1:11434"]

    assert check_url("http://127.0.0.1:11434/v1/", field="x") == "http://127.0.0.1:11434/v1"
    assert public_addresses("127.0.0.1", 11434) == ["127.0.0.1"]
    with pytest.raises(InputError):
        check_url("http://127.0.0.1:5432/v1", field="x")
    with pytest.raises(ProviderError):
        public_addresses("127.0.0.1", 5432)
