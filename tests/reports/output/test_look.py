"""The look that pages share: its colours can be read, and the pages have it."""

from base64 import b64decode

import pytest

from puzzlemc.reports.output.look import COLOURS, icon, mark, sheet
from puzzlemc.reports.page.index import FORMATS


def luminance(colour: str) -> float:
    """The relative luminance of a colour, from 0 to 1 (WCAG 2.2)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("scheme", [0, 1])
@pytest.mark.parametrize(
    ("ink", "ground"),
    [
        *(
            (ink, ground)
            for ink in ("text", "soft", "accent", "good", "bad", "warn")
            for ground in ("page", "card")
        ),
        ("on-accent", "accent"),
    ],
)
def test_texts_can_be_read_on_their_grounds(ink: str, ground: str, scheme: int) -> None:
    light, dark = sorted(luminance(COLOURS[name][scheme]) for name in (ink, ground))
    assert (dark + 0.05) / (light + 0.05) >= 4.5


def test_a_page_has_the_sheet_and_the_mark() -> None:
    page = FORMATS[".html"]([])
    assert sheet() in page
    assert f'<link rel="icon" href="{icon()}">' in page
    assert b64decode(icon().partition(",")[2]).decode() == mark()
