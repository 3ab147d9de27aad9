"""What the page is told of the record: arguments as text, digit by digit, nothing hidden."""

import pytest

from comal_bot.simulator.looking import told


@pytest.mark.parametrize(
    ("args", "line"),
    [
        ('{"note_id":9007199254740993}', "note_id: 9007199254740993"),
        ('{"amount":64.50,"order_id":1007}', "amount: 64.50, order_id: 1007"),
        ('{"text":"a\\nb\\u202e"}', "text: a⏎b⟨U+202E⟩"),
        ('{"on":true,"list":[1,"x"],"deep":{"a":null}}', "on: true, list: [1, x], deep: {a: null}"),
        ('{"amount":null}', ""),
        ('{"decision":"grant","principal":"telegram:1003","request_id":"r"}', "decision: grant"),
        ("not json", ""),
        ("[1]", ""),
    ],
)
def test_arguments_are_one_line_of_text(args, line):
    assert told(args) == line
