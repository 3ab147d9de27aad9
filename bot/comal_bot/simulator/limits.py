"""What the server accepts as the content of a message: text, marks and buttons together."""

from .entities import check_entities, read_entities, trim, utf16_length, with_spotted
from .keyboards import read_keyboard
from .parameters import Parameters
from .refusal import bad_request
from .values import Content, Entity, Keyboard

TEXT_LIMIT = 4096  # UTF-16 units after entity parsing. Source: Bot API, sendMessage.
RAW_LIMIT = 32768  # bytes before parsing. Source: Bot API server, get_formatted_text.
ANSWER_LIMIT = 200  # characters. Source: Bot API, answerCallbackQuery.
PARSE_MODES = ("", "none", "html", "markdown", "markdownv2")


def read_content(parameters: Parameters) -> Content:
    """Read text, entities and keyboard; with a `parse_mode` the text is kept as written.

    Raises:
        Refusal: 400, with the server's words.
    """
    raw = parameters.text("text")
    if len(raw.encode()) > RAW_LIMIT:
        raise bad_request("text is too long")
    if parameters.text("parse_mode").lower() not in PARSE_MODES:
        raise bad_request("unsupported parse_mode")
    entities: tuple[Entity, ...] = ()
    if not parameters.text("parse_mode"):
        entities = read_entities(parameters.decoded("entities", "can't parse entities JSON object"))
        check_entities(raw, entities)
    text, marks = trim(raw, entities)
    if not text:
        raise bad_request("message text is empty")
    if utf16_length(text) > TEXT_LIMIT:
        raise bad_request("message is too long")
    return Content(text=text, entities=with_spotted(text, marks), keyboard=read_markup(parameters))


def read_markup(parameters: Parameters) -> Keyboard | None:
    """Read `reply_markup`.

    Raises:
        Refusal: 400, with the server's words.
    """
    return read_keyboard(
        parameters.decoded("reply_markup", "can't parse reply keyboard markup JSON object")
    )
