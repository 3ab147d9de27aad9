"""What the emulated server takes and refuses as content."""

import json

import httpx
import pytest

from comal_bot.simulator.people import Person
from comal_bot.simulator.values import Bot


@pytest.fixture
def chat(ada: Person, bot: Bot) -> int:
    return ada.chat_with(bot).id


def bold(offset: int, length: int) -> dict:
    return {"type": "bold", "offset": offset, "length": length}


def keyboard(*rows: list[dict]) -> dict:
    return {"inline_keyboard": list(rows)}


def button(label: str = "Yes", **action: object) -> dict:
    return {"text": label, **(action or {"callback_data": "y"})}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "message text is empty"),
        (" \n\t ", "message text is empty"),
        ("a" * 4097, "message is too long"),
        ("😀" * 2049, "message is too long"),
        ("é" * 16385, "text is too long"),
    ],
)
async def test_a_text_outside_the_limits_is_refused_in_the_servers_words(api, chat, text, reason):
    answer = await api("sendMessage", chat_id=chat, text=text)

    assert answer.refused == (400, f"Bad Request: {reason}")


@pytest.mark.parametrize("text", ["a" * 4096, "😀" * 2048])
async def test_a_text_of_4096_utf16_units_is_taken(api, chat, text):
    answer = await api("sendMessage", chat_id=chat, text=text)

    assert answer.result["text"] == text


@pytest.mark.parametrize(
    ("entity", "words"),
    [
        (bold(3, 2), "ends after the end of the text at UTF-16 offset 4"),
        (bold(2, 1), "entity begins in a middle of a UTF-16 symbol"),
        (bold(0, 2), "ends in a middle of a UTF-16 symbol"),
        (bold(-1, 2), "incorrect offset"),
        ({"type": "bold", "offset": "0", "length": 1}, 'Field "offset" must be of type Number'),
        ({"type": "fancy", "offset": 0, "length": 1}, "unsupported type specified"),
        ({"type": "text_link", "offset": 0, "length": 1}, 'Can\'t find field "url"'),
        ("bold", "expected an Object"),
    ],
)
async def test_a_broken_entity_is_refused(api, chat, entity, words):
    answer = await api("sendMessage", chat_id=chat, text="a😀b", entities=[entity])

    status, description = answer.refused
    assert status == 400
    assert words in description


async def test_an_entity_around_a_surrogate_pair_is_kept(api, chat):
    answer = await api("sendMessage", chat_id=chat, text="a😀b", entities=[bold(1, 2)])

    assert answer.result["entities"] == [bold(1, 2)]


async def test_entities_past_the_hundredth_are_dropped_silently(api, chat):
    marks = [bold(n, 1) for n in range(130)]

    answer = await api("sendMessage", chat_id=chat, text="x" * 130, entities=marks)

    assert answer.result["entities"] == marks[:100]


async def test_white_space_is_trimmed_and_entities_move_along(api, chat):
    answer = await api("sendMessage", chat_id=chat, text="\n\n bold \n", entities=[bold(1, 8)])

    assert answer.result["text"] == "bold"
    assert answer.result["entities"] == [bold(0, 4)]


async def test_commands_and_mentions_are_found_but_not_inside_code(api, chat):
    code = {"type": "code", "offset": 7, "length": 6}

    answer = await api(
        "sendMessage", chat_id=chat, text="/start /stop! by @ada_b a/b", entities=[code]
    )

    kinds = [(e["type"], e["offset"], e["length"]) for e in answer.result["entities"]]
    assert kinds == [("bot_command", 0, 6), ("code", 7, 6), ("mention", 17, 6)]


@pytest.mark.parametrize(
    ("markup", "reason"),
    [
        (keyboard([button(callback_data="é" * 33)]), "BUTTON_DATA_INVALID"),
        (
            keyboard([button(callback_data="")]),
            "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
        ),
        (
            keyboard([{"callback_data": "y"}]),
            "can't parse inline keyboard button: Can't find field \"text\"",
        ),
        (
            keyboard(["Yes"]),
            "can't parse inline keyboard button: InlineKeyboardButton must be an Object",
        ),
        (
            {"inline_keyboard": [button()]},
            'field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays',
        ),
        (keyboard([button()] * 9), "reply markup is too long"),
        (keyboard(*[[button()] * 8] * 13), "reply markup is too long"),
        ("{", "can't parse reply keyboard markup JSON object"),
        ([], "object expected as reply markup"),
    ],
)
async def test_a_broken_keyboard_is_refused(api, chat, markup, reason):
    answer = await api("sendMessage", chat_id=chat, text="Sure?", reply_markup=markup)

    assert answer.refused == (400, f"Bad Request: {reason}")


async def test_64_bytes_of_data_and_100_buttons_are_taken_with_unknown_fields(api, chat):
    rows = [[button(callback_data="é" * 32, style="danger")] * 8] * 12 + [[button()] * 4]

    answer = await api("sendMessage", chat_id=chat, text="Sure?", reply_markup=keyboard(*rows))

    assert answer.result["reply_markup"] == keyboard(*rows)


@pytest.mark.parametrize("mode", ["HTML", "MarkdownV2", "Markdown"])
async def test_with_a_parse_mode_the_text_is_kept_as_written(api, chat, mode):
    answer = await api("sendMessage", chat_id=chat, text="<b>*x*</b>", parse_mode=mode)

    assert answer.result["text"] == "<b>*x*</b>"


async def test_an_unknown_parse_mode_is_refused(api, chat):
    answer = await api("sendMessage", chat_id=chat, text="x", parse_mode="BBCode")

    assert answer.refused == (400, "Bad Request: unsupported parse_mode")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("entities", "can't parse entities JSON object"),
        ("reply_markup", "can't parse reply keyboard markup JSON object"),
        ("reply_parameters", "can't parse reply parameters JSON object"),
    ],
)
async def test_a_value_that_is_no_json_is_refused(api, chat, name, reason):
    answer = await api("sendMessage", chat_id=chat, text="x", **{name: "{oops"})

    assert answer.refused == (400, f"Bad Request: {reason}")


async def test_a_lone_surrogate_is_refused_wherever_it_stands(api, chat):
    escaped = json.dumps(keyboard([button("\ud83d")]))

    in_markup = await api("sendMessage", chat_id=chat, text="x", reply_markup=escaped)

    assert in_markup.refused == (400, "Bad Request: strings must be encoded in UTF-8")


async def test_a_body_with_a_lone_surrogate_or_bad_utf8_is_refused(url, bot, chat):
    address = f"{url}/bot{bot.token}/sendMessage"
    kinds = {
        "application/json": b'{"text": "\\ud83d"}',
        "application/x-www-form-urlencoded": b"\xff",
    }

    async with httpx.AsyncClient() as client:
        answers = [
            await client.post(address, content=body, headers={"content-type": kind})
            for kind, body in kinds.items()
        ]

    expected = "Bad Request: strings must be encoded in UTF-8"
    assert [answer.json()["description"] for answer in answers] == [expected, expected]
