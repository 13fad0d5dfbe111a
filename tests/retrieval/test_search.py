"""Any input is a query; what a person may read is what they find; Turkish is found however it is typed."""

import json

import pytest
from django.db import connection
from django.db.utils import DatabaseError

from apps.retrieval import selectors
from apps.retrieval.contracts import Passage, Scope, SearchResult
from apps.retrieval.models import Chunk
from apps.tenants.context import tenant_context
from tests.factories.desk import Desk, make_desk
from tests.factories.documents import FILES, ingest

pytestmark = pytest.mark.django_db(transaction=True)


def search(desk: Desk, query: str, limit: int = 5) -> SearchResult:
    with tenant_context(desk.tenant_id):
        return selectors.search_passages(scope=selectors.scope_for(actor=desk.reader), query=query, limit=limit)


def first(desk: Desk, query: str) -> Passage:
    return search(desk, query).passages[0]


@pytest.mark.parametrize(
    ("queries", "expected"),
    [
        (["istanbul", "ISTANBUL", "İSTANBUL", "İstanbul"], "412"),
        (["ısparta", "Isparta", "isparta", "ISPARTA"], "37"),
        (["izmir", "IZMIR", "İzmir"], "198"),
        (["ığdır", "IGDIR", "IĞDIR"], "9 milyon"),
    ],
)
def test_every_spelling_of_a_turkish_name_finds_its_line(desk: Desk, queries: list[str], expected: str) -> None:
    for line in (FILES / "sehirler.txt").read_text().splitlines():
        if line.strip():
            ingest(desk.member, desk.shared, f"{line[:6]}.txt", line.encode())

    for query in queries:
        assert expected in first(desk, query).text, query


def test_turkish_typed_without_its_letters_finds_the_line(desk: Desk) -> None:
    for number, line in enumerate((FILES / "faaliyet.txt").read_text().split("\n\n")):
        ingest(desk.member, desk.shared, f"{number}.txt", line.encode())

    assert "21,3" in first(desk, "sirketin ozkaynak karliligi").text
    assert "96 milyon" in first(desk, "sigorta teknik karsiliklari").text
    assert "14 milyon" in first(desk, "gayrimenkul degerleme farki").text


def test_inflected_words_find_each_other_in_both_languages(desk: Desk) -> None:
    ingest(
        desk.member, desk.shared, "tr.txt", "Şirketin hasılatı bu dönemde arttı ve varlıkları büyüdü; olarak".encode()
    )
    ingest(
        desk.member, desk.shared, "en.txt", b"The company has repurchased shares and is paying dividends to the owners."
    )

    assert first(desk, "hasılat varlık").document_name == "tr.txt"
    assert first(desk, "dividend payment, share repurchases").document_name == "en.txt"


@pytest.mark.parametrize("query", ["O'Brien", "team:foobar", "C:\\deals\\2024", "100%", "net|gross"])
def test_identifiers_find_their_line(desk: Desk, query: str) -> None:
    ingest(desk.member, desk.shared, "ops.txt")
    ingest(desk.member, desk.shared, "new_offer.txt")

    assert first(desk, query).document_name == "ops.txt"


def test_no_input_is_an_error(desk: Desk) -> None:
    ingest(desk.member, desk.shared, "ops.txt")
    hostile = json.loads((FILES / "queries.json").read_text())

    for query in [
        *hostile,
        "",
        " ",
        "\x00",
        "\ud800",
        "😀" * 50,
        "a" * 10_000,
        "x " * 5_000,
        "the",
        "'" * 99,
        "\\" * 99,
    ]:
        result = search(desk, query)
        assert result.documents_searched == 1


def test_people_find_only_what_they_may_read(desk: Desk) -> None:
    ingest(desk.member, desk.shared, "new_offer.txt")
    ingest(desk.admin, desk.secret, "old_offer.txt")

    with tenant_context(desk.tenant_id):
        counts = {
            actor.user_id: selectors.scope_for(actor=actor).document_count
            for actor in (desk.admin, desk.reader, desk.stranger)
        }
    assert counts == {desk.admin.user_id: 2, desk.reader.user_id: 1, desk.stranger.user_id: 0}
    assert {passage.document_name for passage in search(desk, "offer discount").passages} == {"new_offer.txt"}


def test_a_choice_narrows_the_scope_and_never_widens_it(desk: Desk) -> None:
    shared = ingest(desk.member, desk.shared, "new_offer.txt")
    secret = ingest(desk.admin, desk.secret, "old_offer.txt")

    with tenant_context(desk.tenant_id):
        scope = selectors.scope_for(
            actor=desk.reader, collection_ids=[desk.shared, desk.secret], document_ids=[shared.id, secret.id]
        )

    assert scope.version_ids == (shared.version_id,)


def test_another_organisations_versions_give_nothing_even_when_named(desk: Desk) -> None:
    theirs = make_desk()
    foreign = ingest(theirs.member, theirs.shared, "new_offer.txt")

    with tenant_context(desk.tenant_id):
        result = selectors.search_passages(scope=Scope((foreign.version_id,), 1), query="offer discount", limit=5)

    assert result.passages == ()


def test_the_search_function_gives_nothing_without_a_tenant_and_is_closed_to_others(desk: Desk) -> None:
    document = ingest(desk.member, desk.shared, "new_offer.txt")
    arguments = [[document.version_id], "'offer'", "'offer'", ["offer"], [0], [1.0], 10.0, 5]
    sql = "SELECT * FROM airis_search_text(%s::uuid[], %s, %s, %s::text[], %s::int[], %s::float8[], %s, %s)"

    with connection.cursor() as cursor:
        cursor.execute(sql, arguments)
        assert cursor.fetchall() == []
        cursor.execute(
            "SELECT r.rolname, p.prosecdef, p.proconfig, "
            "has_function_privilege('public', p.oid, 'EXECUTE'), r.rolcanlogin, r.rolbypassrls "
            "FROM pg_proc p JOIN pg_roles r ON r.oid = p.proowner WHERE p.proname = 'airis_search_text'"
        )
        owner, is_definer, config, is_public, can_login, bypasses = cursor.fetchone()
    assert (owner, is_definer, is_public, can_login, bypasses) == ("airis_search", True, False, False, False)
    assert any(entry.startswith("search_path=") for entry in config)


def test_a_hostile_query_text_cannot_leave_its_place_in_the_function(desk: Desk) -> None:
    document = ingest(desk.member, desk.shared, "new_offer.txt")
    sql = "SELECT * FROM airis_search_text(%s::uuid[], %s, %s, %s::text[], %s::int[], %s::float8[], %s, %s)"

    with pytest.raises(DatabaseError), tenant_context(desk.tenant_id), connection.cursor() as cursor:
        cursor.execute(sql, [[document.version_id], "'; DROP TABLE x", "'a'", ["a"], [0], [1.0], 10.0, 5])

    with tenant_context(desk.tenant_id):
        assert Chunk.objects.exists()


def test_passages_quote_their_pages_exactly(desk: Desk) -> None:
    from apps.documents.selectors import read_pages

    document = ingest(desk.member, desk.shared, "span.pdf")

    result = search(desk, "convertible loan option price", limit=10)

    assert result.passages
    with tenant_context(desk.tenant_id):
        pages = {p.number: p.text for p in read_pages(version_id=document.version_id, numbers=range(1, 9))}
    for passage in result.passages:
        assert passage.text == "\n\n".join(pages[s.page][s.start : s.end] for s in passage.spans)


def test_the_document_that_a_question_names_comes_first(desk: Desk) -> None:
    for name in (
        "NORTHFIELD_2022.txt",
        "NORTHFIELD_2023.txt",
        "EASTBROOK_2023.txt",
        "WESTON_2023.txt",
        "ALDER_2023.txt",
    ):
        text = f"{name[:4]} annual letter. Revenue was high and the dividend was paid in May."
        ingest(desk.member, desk.shared, name, text.encode())

    assert first(desk, "What was the revenue of Eastbrook in 2023?").document_name == "EASTBROOK_2023.txt"
    assert first(desk, "Northfield revenue 2022").document_name == "NORTHFIELD_2022.txt"


def test_equal_scores_come_in_a_steady_order(desk: Desk) -> None:
    for number in range(4):
        ingest(desk.member, desk.shared, f"{number}.txt", f"Dividend note number {'abcd'[number]}".encode())

    orders = {tuple(p.chunk_id for p in search(desk, "dividend").passages) for _ in range(3)}

    assert len(orders) == 1
