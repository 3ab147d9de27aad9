"""What is drawn from the code is as the code is now."""

import xml.etree.ElementTree as ElementTree

import pytest

from comal_runtime.pipeline import STATIONS
from comal_runtime.stations.paths import ANYWHERE, PATHS

from . import draw_law, draw_types, told, walking
from .law_picture import WIDTH, picture

STALE = "is stale: python -m tests.docs."


@pytest.fixture
async def found() -> draw_law.Codes:
    return await walking.codes()


async def test_the_picture_of_the_law_is_drawn_from_its_stations(found: draw_law.Codes) -> None:
    drawn = picture(walking.at_stations(found))

    assert draw_law.PICTURE.read_text("utf-8") == drawn, f"law.svg {STALE}draw_law"


async def test_the_tables_of_the_law_are_drawn_from_the_code(found: draw_law.Codes) -> None:
    page = draw_law.DOCUMENT.read_text("utf-8")

    drawn = draw_law.drawn(page, found)

    assert page == drawn, f"law.md {STALE}draw_law"


async def test_the_table_of_types_is_what_a_registry_makes_of_them() -> None:
    page = draw_types.DOCUMENT.read_text("utf-8")

    drawn = await draw_types.drawn(page)

    assert page == drawn, f"tools.md {STALE}draw_types"


@pytest.mark.runtime_line(11, 34)
def test_every_station_and_every_ending_has_its_words_and_no_other() -> None:
    stations = [station.name for station in STATIONS]
    endings = {*ANYWHERE, *(ending for paths in PATHS.values() for ending in paths)}

    assert list(told.ASKS) == stations
    assert set(told.WHEN) == endings
    assert set(told.CARRIED) <= endings


def test_the_page_has_a_heading_for_every_station_in_their_order() -> None:
    page = draw_law.DOCUMENT.read_text("utf-8")

    headings = [line for line in page.splitlines() if line.startswith("## ") and line[3].isdigit()]

    assert headings == [f"## {place}. {one.name}" for place, one in enumerate(STATIONS, start=1)]


async def test_the_picture_is_well_formed_and_as_wide_as_a_phone(found: draw_law.Codes) -> None:
    root = ElementTree.fromstring(picture(walking.at_stations(found)))

    words = "".join(root.itertext())

    assert root.get("width") == str(WIDTH)
    assert WIDTH <= 390
    assert all(station.name in words for station in STATIONS)
