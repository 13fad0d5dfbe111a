"""Follow-up questions take what they leave out from the questions before them."""

import pytest

from apps.agents.engine.followup import whole_question


@pytest.mark.parametrize(
    ("before", "text", "parts", "never"),
    [
        ("What was total revenue in 2024?", "And in 2023?", ("total revenue", "2023"), ("2024",)),
        ("What was total revenue in 2024?", "2023?", ("total revenue", "2023"), ("2024",)),
        ("What was total revenue in fiscal 2021?", "What about Q2 2022?", ("total revenue", "Q2 2022"), ("2021",)),
        ("What was net profit of Northgate Bank in 2024?", "And Southgate Bank?", ("net profit", "Southgate Bank", "2024"), ("Northgate",)),  # noqa: E501
        ("What was net profit of Northgate Bank in 2024?", "And total assets?", ("total assets", "Northgate Bank", "2024"), ("profit",)),  # noqa: E501
        ("What was net profit of Northgate Bank in 2024?", "What is its cost of risk?", ("Northgate Bank's cost of risk",), ()),  # noqa: E501
        ("2024 yılında net kâr ne kadar?", "Peki 2023?", ("net kâr", "2023"), ("2024",)),
        ("2024 yılında net kâr ne kadar?", "Ya toplam varlıklar?", ("toplam varlıklar", "2024"), ("kâr",)),
        ("Compare revenue in 2023 and 2024.", "And in 2022?", ("revenue", "2022"), ("2023", "2024")),
    ],
)  # fmt: skip
def test_a_follow_up_is_made_whole(before: str, text: str, parts: tuple[str, ...], never: tuple[str, ...]) -> None:
    whole = whole_question((before, text), "en")

    assert all(part in whole for part in parts), whole
    assert not any(part in whole for part in never), whole


@pytest.mark.parametrize(
    "text",
    [
        "Which clause covers flood damage at the Silivri warehouse?",
        "And what does the policy say about claims that are reported later than thirty days after the event?",
        "Thanks",
        "What are the main risks?",
    ],
)
def test_a_question_that_stands_for_itself_is_left_alone(text: str) -> None:
    assert whole_question(("What was total revenue in 2024?", text), "en") == text


def test_a_chain_keeps_what_was_understood() -> None:
    asked = ("What was net profit of Northgate Bank in 2024?", "And in 2023?", "And total assets?")

    whole = whole_question(asked, "en")

    assert "total assets" in whole
    assert "Northgate Bank" in whole
    assert "2023" in whole
