"""Questions shown on the home page: written for the demo files, general ones for files of the person's own."""

from itertools import zip_longest

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from apps.demo.documents import lease

_BY_FILE: dict[str, tuple[str, tuple[str, ...]]] = {  # name → language of its questions, questions
    "Meridyen Holding Annual Report 2024.pdf": (
        "en",
        (
            "What were total assets at the end of 2024?",
            "How much did insurance revenue grow in 2024?",
            "Why was the 2023 comparative figure for lease receivables restated?",
        ),
    ),
    "Commercial Property Policy MS-2024-118204.pdf": (
        "en",
        ("Is flood covered at the cold store in Silivri?", "What is the deductible for earthquake?"),
    ),
    "Meridyen income model.xlsx": ("en", ("What is the insurance revenue in 2025E in the income model?",)),
    "Meridyen Holding results 2024.html": ("en", ("When is the annual general meeting?",)),
    "Meridyen Finansal Kiralama 2024 Finansal Raporu.pdf": (
        "tr",
        ("2024 yılında finansal kiralama alacakları ne kadardı?", "Takipteki alacakların oranı nedir?"),
    ),
    f"Finansal Kiralama Sözleşmesi {lease.CONTRACT}.docx": (
        "tr",
        ("Finanse edilen tutar ne kadar?", "Sözleşme hangi durumda feshedilir?"),
    ),
    f"Ek Protokol 1 {lease.CONTRACT}.docx": ("tr", ("Toplam aylık kira ne kadar oldu?",)),
    f"Ödeme planı {lease.CONTRACT}.xlsx": ("tr", ("Devir bedeli ne kadar?",)),
    "Muavin defter 2024 Anadolu Lojistik.csv": ("tr", ("Ekim tahsilatı ne kadar?",)),
    f"Hasar Dosyası {lease.CLAIM}.docx": ("tr", ("Ödenecek tazminat ne kadar?", "Sprinkler indirimi neden yapıldı?")),
    "Çekici ilavesi talebi.eml": ("tr", ("Eylül kirası ne zaman ödendi?",)),
}
MOST = 6


def suggested_questions(*, names: tuple[str, ...]) -> tuple[str, ...]:
    """At most six questions for these document names, one of each document first; () without documents.

    Questions in the person's language come before the others.
    """
    language = (get_language() or "en").partition("-")[0]
    known = [_BY_FILE[name] for name in names if name in _BY_FILE]
    own = [questions for spoken, questions in known if spoken == language]
    others = [questions for spoken, questions in known if spoken != language]
    written = [*_in_turn(own), *_in_turn(others)]
    if names and not written:
        written = [
            _("What were total assets at the end of the year?"),
            _("What changed against the year before?"),
            _("Which amounts fall due within one year?"),
        ]
    return tuple(written[:MOST])


def _in_turn(lists: list[tuple[str, ...]]) -> list[str]:
    return [question for turn in zip_longest(*lists) for question in turn if question]
