"""An organisation that lets its own model answer: the whole way from the question to the kept answer."""

import json
from uuid import UUID

import pytest

from apps.accounts.contracts import Role
from apps.chat import selectors
from apps.chat.contracts import MessageView
from apps.providers import services as providers
from apps.tenants.context import tenant_context
from tests.factories.library import ask, make_document
from tests.factories.people import make_actor, make_collection, make_organisation
from tests.providers.openai_server import OpenAIServer, Turn, openai_server

pytestmark = pytest.mark.django_db(transaction=True)
PLAN = json.dumps({"queries": ["Kestrel option price"]})


def answered(server: OpenAIServer, settings, *, is_on: bool = True) -> MessageView:
    """The answer to one question in an organisation whose one model is the server."""
    settings.PRIVATE_HOSTS = [f"127.0.0.1:{server.port}"]
    admin = make_actor(make_organisation(), Role.OWNER)
    make_document(admin, make_collection(admin))
    with tenant_context(admin.tenant_id):
        providers.add_profile(actor=admin, name="Local", base_url=server.base_url, model="local-7b", api_key="")
        providers.switch_models(actor=admin, is_on=is_on, uses_installation=False)
    message_id: UUID = ask(admin, "What is the option price of the Kestrel project?")
    with tenant_context(admin.tenant_id):
        return selectors.get_message(actor=admin, message_id=message_id)


def test_the_organisation_s_model_words_the_answer_and_is_named(settings) -> None:
    said = {"text": "The option price is 3.15 million euro.", "evidence": [{"id": "E1", "quote": "3.15 million"}]}
    with openai_server(Turn(PLAN), Turn(json.dumps({"statements": [said], "missing": []}))) as server:
        message = answered(server, settings)

    assert message.engine == "Local"
    assert [(s.kind, s.text) for s in message.statements] == [("reworded", said["text"])]
    assert message.statements[0].citations[0].quote == "3.15 million"


def test_a_model_that_is_down_is_named_beside_the_built_in_answer(settings) -> None:
    with openai_server(Turn(status=503)) as server:
        message = answered(server, settings)

    assert message.engine.startswith("built-in")
    assert any("3.15" in statement.text and statement.citations for statement in message.statements)
    assert any("“Local” did not answer" in statement.text for statement in message.statements)


def test_while_it_is_off_no_question_reaches_the_model(settings) -> None:
    with openai_server(Turn(PLAN)) as server:
        message = answered(server, settings, is_on=False)

    assert not server.requests
    assert message.engine.startswith("built-in")
