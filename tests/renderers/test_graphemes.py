"""Where text may be cut."""

import pytest

from comal_renderers.graphemes import is_boundary, last_boundary


@pytest.mark.parametrize(
    "cluster",
    [
        "e\u0301",
        "\r\n",
        "👩‍👩‍👧",
        "👍🏽",
        "🇲🇽",
        "각",
        "\u1100\u1161\u11a8",
        "กำ",
        "❤\ufe0f",
        "🏴\U000e0067\U000e007f",
        "\u0600१",
    ],
)
def test_a_cluster_is_never_cut(cluster: str) -> None:
    text = f"a{cluster}b"

    cuts = [place for place in range(1, len(text)) if is_boundary(text, place)]

    assert cuts == [1, 1 + len(cluster)]


def test_flags_are_cut_between_pairs() -> None:
    text = "🇲🇽🇪🇸🇫"

    assert [place for place in range(6) if is_boundary(text, place)] == [0, 2, 4, 5]


def test_a_cluster_that_fills_the_room_is_cut_at_its_end() -> None:
    assert last_boundary("a" + "\u0301" * 9, 0, 5) == 5
