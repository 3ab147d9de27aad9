"""Tools of installed packages, found by the host."""

import sys
from pathlib import Path

import pytest

from comal_bot.cli.sources import load_entry_points
from comal_bot.settings import BadSettings

from .conftest import Comal

TOOL = "from comal_runtime.tools import tool\n"
RAIN = f"{TOOL}@tool\ndef rain(city: str) -> str:\n    'Tell of rain.'\n    return city\n"
PROVIDER = (
    "class Weather:\n"
    "    def register(self, registry):\n"
    "        registry.register('wind', 'Tell of wind.', {'type': 'object'}, lambda: 1)\n"
)


@pytest.fixture
def site(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that packages are installed into."""
    path = folder / "site"
    path.mkdir()
    monkeypatch.syspath_prepend(path)
    return path


def install(site: Path, package: str, text: str, **entry_points: str) -> None:
    """Put a package with one module there, as pip would."""
    (site / f"{package}.py").write_text(text)
    sys.modules.pop(package, None)
    info = site / f"{package}-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.2\n")
    lines = [f"{name} = {value}" for name, value in entry_points.items()]
    (info / "entry_points.txt").write_text("\n".join(["[comal.tools]", *lines]))


def names(*patterns: str) -> list[str]:
    return [tool.name for tool in load_entry_points(patterns)]


def problems(*patterns: str) -> tuple[str, ...]:
    with pytest.raises(BadSettings) as caught:
        load_entry_points(patterns)
    return caught.value.problems


@pytest.mark.runtime_line(10)
@pytest.mark.parametrize(
    ("text", "value", "found"),
    [
        (RAIN, "weather_pkg", "rain"),
        (RAIN, "weather_pkg:rain", "rain"),
        (PROVIDER, "weather_pkg:Weather", "wind"),
        (f"{PROVIDER}weather = Weather()\n", "weather_pkg:weather", "wind"),
        (f"{PROVIDER}tools = [Weather()]\n", "weather_pkg:tools", "wind"),
        (PROVIDER.replace("    ", "", 1).replace("class Weather:\n", "").replace("self, ", ""),
         "weather_pkg", "wind"),
    ],
)  # fmt: skip
def test_an_entry_point_leads_to_anything_that_brings_tools(
    site: Path, text: str, value: str, found: str
):
    install(site, "weather_pkg", text, weather=value)

    assert names("*") == [found]


@pytest.mark.runtime_line(10)
def test_the_host_offers_the_tools_of_installed_packages_beside_its_own(
    comal: Comal, site: Path, tools_file: Path
):
    install(site, "weather_pkg", RAIN, weather="weather_pkg")

    shown = comal("tools", "list", "--tools", tools_file.name).stdout

    assert [line.split()[0] for line in shown.splitlines()[1:]] == ["greet", "refund_order", "rain"]


def test_settings_name_the_entry_points_or_switch_them_off(comal: Comal, site: Path, folder: Path):
    install(site, "weather_pkg", RAIN, rain="weather_pkg", wind="nowhere_at_all")

    (folder / "comal.toml").write_text('[tools]\nentry_points = ["ra*"]\n')
    named = comal("tools", "list").stdout
    (folder / "comal.toml").write_text("[tools]\nentry_points = []\n")
    none = comal("tools", "list")

    assert "rain" in named
    assert "there are no tools" in none.stderr


def test_a_name_that_no_package_offers_is_told_with_those_there_are(site: Path):
    install(site, "weather_pkg", RAIN, weather="weather_pkg")

    assert problems("wether") == (
        "[tools] entry_points names 'wether', which no installed package offers; offered: weather",
    )


@pytest.mark.parametrize(
    ("text", "value", "said"),
    [
        ("import nothing_of_this_name\n", "weather_pkg", "No module named 'nothing_of_this_name'"),
        ("1 / 0\n", "weather_pkg", "line 1: ZeroDivisionError: division by zero"),
        ("x = 1\n", "weather_pkg:rain", "has no attribute 'rain'"),
        ("x = 1\n", "weather_pkg", "holds no tool"),
        ("class W:\n    def register(self, r):\n        raise OSError('no net')\n",
         "weather_pkg:W", "line 3: OSError: no net"),
        (f"{TOOL}@tool\ndef odd(*a): ...\n", "weather_pkg", "tool 'odd': parameter 'a' is *args"),
    ],
)  # fmt: skip
@pytest.mark.runtime_line(10)
def test_a_broken_entry_point_is_told_by_name_and_package(
    site: Path, text: str, value: str, said: str
):
    install(site, "weather_pkg", text, weather=value)

    (told,) = problems("*")

    assert f"tools entry point 'weather' ({value} of weather_pkg 1.2)" in told
    assert said in told


def test_everything_that_cannot_be_loaded_is_told_at_once(comal: Comal, site: Path):
    install(site, "weather_pkg", "1 / 0\n", weather="weather_pkg")

    told = comal("tools", "list", "--tools", "missing.py")

    assert told.exit_code == 2
    assert "missing.py" in told.stderr
    assert "'weather'" in told.stderr
