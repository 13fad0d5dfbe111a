"""What the pages of documents read from their addresses."""

IMAGE_DPI, SMALL_DPI = 130, 36  # of a page, of its thumbnail


def number_in(text: str) -> int:
    """A number of an address, 0 for anything else."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else 0
