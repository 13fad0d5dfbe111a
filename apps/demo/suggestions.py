"""Questions shown on the home page: written for the demo files, general ones for files of the person's own."""

from django.utils.translation import gettext as _

_BY_FILE = {
    "Meridyen Holding Annual Report 2024.pdf": (
        "What were total assets at the end of 2024?",
        "How much did insurance revenue grow in 2024?",
        "Why was the 2023 comparative figure for lease receivables restated?",
    ),
    "Commercial Property Policy MS-2024-118204.pdf": (
        "Is flood covered at the cold store in Silivri?",
        "What is the deductible for earthquake?",
    ),
    "Meridyen Finansal Kiralama 2024 Finansal Raporu.pdf": (
        "2024 yılında finansal kiralama alacakları ne kadardı?",
        "Takipteki alacakların oranı nedir?",
    ),
}
MOST = 6


def suggested_questions(*, names: tuple[str, ...]) -> tuple[str, ...]:
    """At most six questions for these document names, in their order; () without documents."""
    written = [question for name in names for question in _BY_FILE.get(name, ())]
    if names and not written:
        written = [
            _("What were total assets at the end of the year?"),
            _("What changed against the year before?"),
            _("Which amounts fall due within one year?"),
        ]
    return tuple(written[:MOST])
