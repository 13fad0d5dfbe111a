"""Template tags: icons come from our own files, marked numbers are escaped."""

from dataclasses import dataclass

import pytest

from apps.core.templatetags.ui import icon, with_numbers


@dataclass(frozen=True, slots=True)
class Number:
    text: str
    value: str = "22562"
    unit: str = "EUR"
    formula: str = ""
    verified: bool = True


def test_a_verified_number_is_marked_with_its_value() -> None:
    shown = with_numbers("Total assets, 2024: €22,562 million", [Number("22,562")])

    assert '<span class="number--verified" title="22562 EUR">22,562</span> million' in shown


def test_an_unverified_number_stays_plain() -> None:
    assert with_numbers("It was 5", [Number("5", verified=False)]) == "It was 5"


def test_markup_in_text_and_numbers_is_shown_as_text() -> None:
    shown = with_numbers("<b>7</b> & more", [Number("7", unit='"><script>')])

    assert "<b>" not in shown
    assert "<script>" not in shown


def test_an_icon_has_no_path_in_its_name() -> None:
    with pytest.raises(ValueError, match=r"\.\./"):
        icon("../secret")
