"""Why a file of a load did not become searchable, and what to do, in words."""

from django.utils.translation import gettext_lazy as _

from apps.documents.selectors import FAILURES

_REFUSALS = {
    "quota": _("The organisation's storage is full. Delete what is not needed, then bring the file again."),
    "too_deep": _("It lies inside too many archives. Unpack them and bring it by itself."),
    "unreadable": _("The file could not be opened where it lies. Check that it may be read, then run the load again."),
    "unknown": _("It could not be taken. Bring it by itself to see why."),
}


def reason_of(code: str) -> str:
    """A sentence for a failure of reading, a refusal of an upload or of a member of an archive."""
    return str(FAILURES.get(code) or _REFUSALS.get(code) or _REFUSALS["unknown"])
