"""The picture of the law: its stations from top to bottom, and what wraps them around them."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from comal_runtime.pipeline import STATIONS
from comal_runtime.stations.station import Role, Station

from .told import ASKS

WIDTH: Final = 390  # as wide as a phone, so that little shrinks there
_WRAPPING: Final = (Role.BOUNDARY, Role.OUTCOME)
_PAD: Final = 10
_GAP: Final = 14
_HEAD: Final = 34
_TWO_LINES: Final = 48  # a name, and what its station asks
_LINE: Final = 15
_CHARACTERS: Final = 41  # of a line of codes

_STYLE: Final = """
text { font: 13px system-ui, sans-serif; fill: #1f2328 }
.name { font: 600 14px ui-monospace, Menlo, Consolas, monospace }
.code { font: 12px ui-monospace, Menlo, Consolas, monospace; fill: #59636e; white-space: pre }
.role { font-size: 12px; fill: #59636e }
.page { fill: #ffffff; stroke: #d1d9e0 }
.box { fill: #f6f8fa; stroke: #d1d9e0 }
.frame { fill: none; stroke: #818b98; stroke-dasharray: 5 4 }
.way { stroke: #818b98; stroke-width: 1.5; fill: none }
.Guard { fill: #0969da } .Transform { fill: #1b7c83 } .Branch { fill: #bf8700 }
.Hook { fill: #8250df } .Execution { fill: #1a7f37 }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc }
.code, .role { fill: #a5aeb8 }
.page { fill: #0d1117; stroke: #3d444d }
.box { fill: #151b23; stroke: #3d444d }
.frame, .way { stroke: #7a828e }
.Guard { fill: #4493f8 } .Transform { fill: #39c5cf } .Branch { fill: #d29922 }
.Hook { fill: #ab7df8 } .Execution { fill: #3fb950 }
}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Drawn:
    """A station with its number and the lines it shows."""

    station: Station
    number: int
    ends: Sequence[str]

    @property
    def height(self) -> int:
        return _TWO_LINES + _LINE * len(self.ends)

    def at(self, left: int, right: int, y: int) -> Iterator[str]:
        """Draw its lines between two edges, below `y`."""
        yield _text(left, y + 20, f"{self.number} {self.station.name}", "name")
        yield _text(right, y + 20, str(self.station.role), "role", anchor="end")
        yield _text(left, y + 38, ASKS[self.station.name])
        for place, line in enumerate(self.ends):
            yield _text(left, y + 55 + place * _LINE, line, "code")


def picture(codes: Mapping[str, Sequence[str]]) -> str:
    """Return the law as SVG. `codes` are those that calls end with, by station."""
    stations = [
        _Drawn(station=one, number=number, ends=_wrapped(codes.get(one.name, ())))
        for number, one in enumerate(STATIONS, start=1)
    ]
    around = [one for one in stations if one.station.role in _WRAPPING]
    walked = [one for one in stations if one.station.role not in _WRAPPING]
    top = _PAD * (len(around) + 1) + _HEAD
    bottom = top + sum(one.height + _GAP for one in walked)
    height = bottom + sum(one.height for one in around) + _PAD
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {height}" role="img" aria-labelledby="title told">',
        '<title id="title">The law: what every call of a tool passes</title>',
        f'<desc id="told">{escape(_described())}</desc>',
        f"<style>{_STYLE}</style>",
        f'<rect class="page" x=".5" y=".5" width="{WIDTH - 1}" height="{height - 1}" rx="10"/>',
        *_frames(around, bottom),
        _text(WIDTH / 2, top - 16, "a call: tool, arguments, who calls", anchor="middle"),
        *_steps(walked, top),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _described() -> str:
    told = (f"{number}. {one.name} ({one.role})" for number, one in enumerate(STATIONS, start=1))
    return "; ".join(told)


def _wrapped(codes: Sequence[str]) -> list[str]:
    """Return the line, or lines, that name the codes."""
    if not codes:
        return []
    return textwrap.wrap(f"ends: {', '.join(codes)}", _CHARACTERS, subsequent_indent=" " * 6)


def _frames(around: Sequence[_Drawn], bottom: int) -> Iterator[str]:
    """Draw the frames, the innermost first: each says at its foot what it is."""
    y = bottom
    for depth, one in enumerate(around):
        inset = _PAD * (len(around) - depth)
        yield (
            f'<rect class="frame" x="{inset}" y="{inset}" width="{WIDTH - 2 * inset}" '
            f'height="{y + one.height - inset}" rx="8"/>'
        )
        yield from one.at(inset + 12, WIDTH - inset - 12, y)
        y += one.height


def _steps(walked: Sequence[_Drawn], top: int) -> Iterator[str]:
    left, right, middle, y = _PAD * 3, WIDTH - _PAD * 3, WIDTH / 2, top
    for one in walked:
        high = f'y="{y}" height="{one.height}"'
        yield f'<path class="way" d="M{middle:g} {y - _GAP + 4}v6m-4 -4l4 4l4 -4"/>'
        yield f'<rect class="box" x="{left}" width="{right - left}" {high} rx="6"/>'
        yield f'<rect class="{one.station.role}" x="{left}" width="5" {high} rx="2"/>'
        yield from one.at(left + 16, right - 12, y)
        y += one.height + _GAP


def _text(x: float, y: float, text: str, kind: str = "", *, anchor: str = "start") -> str:
    styled = f' class="{kind}"' if kind else ""
    return f'<text{styled} x="{x:g}" y="{y:g}" text-anchor="{anchor}">{escape(text)}</text>'
