"""Pictures as SVG and GIF, alone or as an animation.

An animation is independent of moves. It has the shapes of all its pictures, each once, and for each picture the
numbers of its shapes. So an SVG of a long trace is small, and a page can show any step immediately.
"""

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import groupby
from typing import TypeAlias

from PIL import Image, ImageDraw, ImageFont
from rich.text import Text

from puzzlemc.encodings.puzzles import colours
from puzzlemc.mc.errors import ModelError
from puzzlemc.reports.output.plain import plain, xml
from puzzlemc.screens.base.picture import Box, Label, Picture, Polygon, Shape, is_literal

SECONDS_PER_STEP = 0.25
SECONDS_AT_END = 2.0
CELL_PIXELS = 32
MOST_PIXELS = 1200  # of the longer side of a GIF or a PNG
GIF_COLOURS = 128
FINER = 2  # they are painted larger by this factor and then reduced, for smooth edges


Extent: TypeAlias = tuple[float, float, float, float]  # left, top, right and bottom


@dataclass(frozen=True)
class Film:
    """Pictures of one size: their common shapes, the other shapes, and the numbers of these in each picture.

    groups  shapes that are only ever shown together
    frames  of each picture, the numbers of the groups that it shows
    """

    width: float
    height: float
    board: tuple[Shape, ...]
    groups: tuple[tuple[Shape, ...], ...]
    frames: tuple[tuple[int, ...], ...]


def film(pictures: Sequence[Picture]) -> Film:
    """The film of pictures of one level, with an order of shapes that paints each picture correctly."""
    # Later shapes are painted over earlier ones. If a shape must cover one that is later in the list of all
    # shapes, the list gets another copy of it.
    shapes: list[Shape] = []
    extents: list[Extent] = []
    copies: dict[Shape, list[int]] = {}
    frames = []
    for picture in pictures:
        frame: list[int] = []
        ordered: list[int] = []  # the same, sorted
        for shape in picture.pieces:
            known = copies.setdefault(shape, [])
            for number in known:
                later = ordered[bisect_left(ordered, number) :]
                if not any(_touch(extents[other], extents[number]) for other in later):
                    break
            else:
                number = len(shapes)
                shapes.append(shape)
                extents.append(extent(shape))
                known.append(number)
            frame.append(number)
            insort(ordered, number)
        frames.append(tuple(frame))
    first = pictures[0]
    return Film(first.width, first.height, first.board, *_grouped(shapes, frames))


def _grouped(
    shapes: Sequence[Shape], frames: Sequence[Sequence[int]]
) -> tuple[tuple[tuple[Shape, ...], ...], tuple[tuple[int, ...], ...]]:
    """Groups of consecutive shapes that appear in the same frames, with these frames."""
    shown_in: list[list[int]] = [[] for _ in shapes]
    for place, frame in enumerate(frames):
        for number in frame:
            shown_in[number].append(place)
    groups: list[list[Shape]] = []
    home = []
    for number, shape in enumerate(shapes):
        if number and shown_in[number] == shown_in[number - 1]:
            groups[-1].append(shape)
        else:
            groups.append([shape])
        home.append(len(groups) - 1)
    found = tuple(tuple(sorted({home[number] for number in frame})) for frame in frames)
    return tuple(map(tuple, groups)), found


def _touch(one: Extent, other: Extent) -> bool:
    """Can shapes with these extents overlap?"""
    left, top, right, bottom = one
    left_too, top_too, right_too, bottom_too = other
    return left < right_too and left_too < right and top < bottom_too and top_too < bottom


def extent(shape: Shape) -> Extent:
    """Left, top, right and bottom; for a text, an upper bound."""
    if isinstance(shape, Box):
        return shape.x, shape.y, shape.x + shape.width, shape.y + shape.height
    if isinstance(shape, Polygon):
        across, down = zip(*shape.points, strict=True)
        return min(across), min(down), max(across), max(down)
    half = shape.size * max(1, len(shape.text)) / 2
    return shape.x - half, shape.y - shape.size, shape.x + half, shape.y + shape.size


# SVG


def css_class(colour: str) -> str:
    """The class of a colour."""
    return "c-" + colour.replace(" ", "-")


def filled(colour: str) -> str:
    """The attribute that fills an element with a colour: a class for a name, the colour itself for a literal."""
    return f'fill="{colour}"' if is_literal(colour) else f'class="{css_class(colour)}"'


def styles(dark: bool) -> str:
    """The CSS rules of the colours."""
    return "".join(f".{css_class(name)}{{fill:{look[dark]}}}" for name, look in colours().items())


def svg_shapes(shapes: Sequence[Shape]) -> str:
    """Shapes as elements; square tiles of one colour in a row are one path, without seams between them."""
    parts = []
    for (colour, tiles), group in groupby(shapes, lambda s: (s.colour, isinstance(s, Box) and not s.radius)):
        if tiles:
            path = "".join(
                f"M{_n(s.x)} {_n(s.y)}h{_n(s.width)}v{_n(s.height)}h{_n(-s.width)}z" for s in _boxes(group)
            )
            parts.append(f'<path {filled(colour)} d="{path}"/>')
        else:
            parts += [svg_shape(shape) for shape in group]
    return "".join(parts)


def _boxes(shapes: Iterable[Shape]) -> Iterator[Box]:
    for shape in shapes:
        assert isinstance(shape, Box)
        yield shape


def svg_shape(shape: Shape, inside: str = "", attributes: str = "") -> str:
    """A shape as one element, with more attributes and elements inside."""
    look = f"{filled(shape.colour)}{attributes}"
    if isinstance(shape, Box):
        place = f'x="{_n(shape.x)}" y="{_n(shape.y)}" width="{_n(shape.width)}" height="{_n(shape.height)}"'
        return f'<rect {look} {place} rx="{_n(shape.radius)}">{inside}</rect>'
    if isinstance(shape, Polygon):
        points = " ".join(f"{_n(x)},{_n(y)}" for x, y in shape.points)
        return f'<polygon {look} points="{points}">{inside}</polygon>'
    place = f'x="{_n(shape.x)}" y="{_n(shape.y)}" font-size="{_n(shape.size)}"'
    text = f'text-anchor="{"start" if shape.from_left else "middle"}" dominant-baseline="central"'
    text += ' font-family="sans-serif" font-weight="600"'
    return f"<text {look} {place} {text}>{xml(shape.text)}{inside}</text>"


def svg_group(shapes: Sequence[Shape], inside: str = "", attributes: str = "") -> str:
    """Some shapes as one element, with more attributes and elements inside."""
    if len(shapes) == 1:
        return svg_shape(shapes[0], inside, attributes)
    return f"<g{attributes}>{svg_shapes(shapes)}{inside}</g>"


def svg(pictures: Sequence[Picture], title: str) -> str:
    """A separate file with the picture, or with the film of several pictures as an endless animation."""
    shown = film(pictures)
    moving = "".join(
        svg_group(shapes, _shown_when(shown, number), "" if number in shown.frames[0] else ' visibility="hidden"')
        for number, shapes in enumerate(shown.groups)
    )
    size = f'width="{_n(shown.width * CELL_PIXELS)}" height="{_n(shown.height * CELL_PIXELS)}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} '
        f'viewBox="0 0 {_n(shown.width)} {_n(shown.height)}" role="img">'
        f"<title>{xml(title)}</title>"
        f"<style>{styles(False)}@media (prefers-color-scheme:dark){{{styles(True)}}}</style>"
        f"{svg_shapes(shown.board)}{moving}</svg>\n"
    )


def _shown_when(shown: Film, number: int) -> str:
    """The animation element that shows a group during its pictures, and hides it otherwise."""
    if len(shown.frames) == 1:
        return ""
    whole = (len(shown.frames) - 1) * SECONDS_PER_STEP + SECONDS_AT_END
    values, times = [], []
    for visible, group in groupby(enumerate(shown.frames), lambda item: number in item[1]):
        values.append("visible" if visible else "hidden")
        times.append(f"{next(iter(group))[0] * SECONDS_PER_STEP / whole:.6f}".rstrip("0").rstrip("."))
    if len(values) == 1:
        return ""
    return (
        f'<animate attributeName="visibility" calcMode="discrete" values="{";".join(values)}" '
        f'keyTimes="{";".join(times)}" dur="{_n(whole)}s" repeatCount="indefinite"/>'
    )


def _n(number: float) -> str:
    return f"{number:.3f}".rstrip("0").rstrip(".")


# PNG and GIF


def png(shown: Picture) -> bytes:
    """A picture as PNG in light colours.

    Raises ModelError if it has more cells in a row than pixels are allowed.
    """
    longer = max(shown.width, shown.height)
    if longer > MOST_PIXELS:
        raise ModelError(f"found {longer:g} cells beside each other, expected at most {MOST_PIXELS} for a picture")
    file = BytesIO()
    painter(shown)(shown).save(file, "PNG")
    return file.getvalue()


def gif(pictures: Sequence[Picture]) -> bytes:
    """The pictures as an animated GIF in light colours, which repeats endlessly."""
    painted = painter(pictures[0])
    # One palette for all pictures: that of the first and last one, which contain all colours.
    start, end = painted(pictures[0]), painted(pictures[-1])
    sample = Image.new("RGB", (start.width, 2 * start.height))
    sample.paste(start, (0, 0))
    sample.paste(end, (0, start.height))
    palette = sample.quantize(GIF_COLOURS)
    # Pictures are painted one by one while the file is written, because all of them would take gigabytes.
    indexed = (painted(picture).quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures)
    durations = [round(1000 * SECONDS_PER_STEP)] * (len(pictures) - 1) + [round(1000 * SECONDS_AT_END)]
    file = BytesIO()
    next(indexed).save(file, "GIF", save_all=True, append_images=indexed, duration=durations, loop=0)
    return file.getvalue()


def painter(first: Picture) -> Callable[[Picture], Image.Image]:
    """A function that paints pictures of the size and the board of the first one, in light colours."""
    cell = max(1, min(CELL_PIXELS, int(MOST_PIXELS / max(first.width, first.height))))
    scale = cell * FINER
    canvas = Image.new("RGB", (round(first.width * scale), round(first.height * scale)), "white")
    _paint(canvas, first.board, scale)

    def painted(picture: Picture) -> Image.Image:
        frame = canvas.copy()
        _paint(frame, picture.pieces, scale)
        return frame.reduce(FINER)

    return painted


def _paint(image: Image.Image, shapes: Sequence[Shape], scale: int) -> None:
    pen, palette = ImageDraw.Draw(image), colours()
    for shape in shapes:
        colour = palette[shape.colour][False]
        if isinstance(shape, Box):
            # The last row and column of pixels belong to the rectangle, which has at least one of each.
            corners = (shape.x, shape.y, shape.x + shape.width, shape.y + shape.height)
            left, top, right, bottom = (round(scale * place) for place in corners)
            area = (left, top, max(left, right - 1), max(top, bottom - 1))
            pen.rounded_rectangle(area, scale * shape.radius, colour)
        elif isinstance(shape, Polygon):
            pen.polygon([(scale * x, scale * y) for x, y in shape.points], colour)
        else:
            font = ImageFont.load_default(scale * shape.size)
            pen.text(
                (scale * shape.x, scale * shape.y),
                shape.text,
                colour,
                font,
                anchor="lm" if shape.from_left else "mm",
            )


# On a terminal


def tells_by_colour(picture: Picture) -> bool:
    """Can the picture be shown with one colour and one word for each cell?"""
    shapes = picture.board + picture.pieces
    return any(isinstance(s, Label) for s in shapes) and not any(isinstance(s, Polygon) for s in shapes)


def inked(drawing: str, tints: Sequence[Sequence[str]]) -> Text:
    """A position as text, with characters on their colours."""
    text, palette = Text(), colours()
    for number, (line, names) in enumerate(zip(drawing.split("\n"), tints, strict=True)):
        text.append("\n" * (number > 0))
        for sign, colour in zip(line, names, strict=True):
            text.append(plain(sign), f"{palette['ink'][0]} on {palette[colour][0]}" if colour else "")
    return text


def painted(picture: Picture) -> Text:
    """The picture in the colours of a terminal, with three characters for each cell.

    A cell has the colour that is topmost in its middle, and the text of the label that has its centre there.
    """
    shapes = picture.board + picture.pieces
    boxes = [shape for shape in shapes if isinstance(shape, Box)]
    labels = {(int(shape.y), int(shape.x)): shape.text for shape in shapes if isinstance(shape, Label)}
    text, palette = Text(), colours()
    for row in range(int(picture.height)):
        for column in range(int(picture.width)):
            x, y = column + 0.5, row + 0.5
            on = [b for b in boxes if b.x <= x <= b.x + b.width and b.y <= y <= b.y + b.height]
            style = f"{palette['ink'][0]} on {palette[on[-1].colour][0]}" if on else ""
            text.append(f"{plain(labels.get((row, column), ''))[:3]:^3}", style)
        text.append("\n")
    return text
