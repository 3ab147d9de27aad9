"""A question too long for one message, on a server that refuses what is too long."""

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from comal_bot.simulator.values import MessageView
from comal_runtime.testing import ScriptedModel
from comal_runtime.tools import tool
from tests.support.stage import Stage, eventually, has_buttons, says, scripted

from .conftest import told

TEXT = " ".join(f"w{number}🌽" for number in range(1200))


@dataclass
class Press:
    """A tool that takes a long text."""

    ran: list[str] = field(default_factory=list)

    @tool(mutating=True)
    async def publish(self, text: str) -> str:
        """Publish a text."""
        self.ran.append(text)
        return "published"


@pytest.fixture
def editor() -> ScriptedModel:
    return scripted(
        (r"^\[comal:event\]", told), ("publish", lambda *_: [("publish", {"text": TEXT})])
    )


def closed(card: MessageView) -> Callable[[MessageView], bool]:
    """Match a card once it says who confirmed it."""
    return lambda view: view.id == card.id and says("Confirmed by Rosa")(view)


async def test_a_long_question_is_shown_whole_before_it_offers_its_choices(
    set_stage: Stage, editor: ScriptedModel
) -> None:
    """AP-14: what cannot be shown in one message is not decided on one message."""
    rosa, bruno, chat, tools = set_stage.rosa, set_stage.bruno, set_stage.group, Press()
    async with set_stage.hosting([tools], editor):
        rosa.send(chat, "@comal_bot publish it")
        part = await rosa.wait_for(chat, has_buttons)
        data = part.buttons[0].data or ""
        forged = await rosa.press_raw(chat, part.id, f"{data[:-1]}y").answered()
        bystander = await bruno.press(chat, part.id, "Show everything").answered()
        alone = len([v for v in rosa.transcript(chat) if v.sender.is_bot])
        rosa.press(chat, part.id, "Show everything")
        whole = await rosa.wait_for(chat, lambda view: len(view.buttons) == 2)
        shown = " ".join(v.text for v in rosa.transcript(chat) if v.id > part.id)
        ran_before = list(tools.ran)
        rosa.press(chat, whole.id, "Confirm")
        await eventually(lambda: tools.ran)
        await rosa.wait_for(chat, closed(part))
        await rosa.wait_for(chat, closed(whole))

    assert part.labels == ("Show everything",)
    assert forged.text == "Unknown button."
    assert bystander.text == "This card is not yours to answer."
    assert alone == 1
    assert [word for word in TEXT.split() if word not in shown] == []
    assert ran_before == []
    assert tools.ran == [TEXT]
