"""A house without an owner: a code makes one, who lets a stranger in; over real sockets."""

from comal_bot.owning import issue_code
from comal_runtime.clock import SystemClock
from comal_runtime.testing import ScriptedModel
from tests.support.stage import Stage, has_buttons, says

from .conftest import Shop


async def test_the_first_owner_comes_by_a_code_and_lets_a_stranger_in(
    set_stage: Stage, shop: Shop, model: ScriptedModel
) -> None:
    changes = {
        "people": [],
        "routes": [],
        "roles": {"guest": {"scopes": ["notes:read"]}},
        "pairing": {"strangers": "pair", "roles": ["guest"]},
    }
    ana, rosa = set_stage.ana, set_stage.rosa
    with_ana, with_rosa = ana.chat_with(set_stage.bot), set_stage.private
    async with set_stage.hosting([shop], model, **changes) as app:
        code = await issue_code(app.registry.record, SystemClock())
        ana.send(with_ana, f"/owner {code}")
        await ana.wait_for(with_ana, says("You are the owner"))
        rosa.send(with_rosa, "list")
        await rosa.wait_for(with_rosa, says("/pair"))
        rosa.send(with_rosa, "/pair")
        card = await ana.wait_for(with_ana, has_buttons)
        press = ana.press(with_ana, card.id, "Approve")
        await press.answered()
        await rosa.wait_for(with_rosa, says("Roles: guest"))
        rosa.send(with_rosa, "list")
        answer = await rosa.wait_for(with_rosa, says("milk"))
        closed = await ana.wait_for(with_ana, says("Approved by"))

    assert "bread" in answer.text
    assert f"telegram:{rosa.id}" in card.text
    assert closed.id == card.id
    assert not closed.buttons
