"""All rules together."""

from comal_bot.lint import Provider, Severity, Yardstick, findings

from .arranging import found, holding, made


def test_a_tool_that_says_everything_has_nothing_to_mend() -> None:
    assert findings([made()], Yardstick()) == []


def test_too_many_tools_are_found_by_number_and_by_the_models_share() -> None:
    tools = [made(f"find_{number}", description="Find. " * 20) for number in range(129)]

    [number] = found(*tools, rule="openai-tools", provider=Provider.OPENAI)
    [share] = found(*tools, rule="over-budget", model="gpt-4")

    assert (number.severity, number.tool) == (Severity.ERROR, "")
    assert "2457 tokens" in share.what
    assert found(*tools, rule="over-budget", model="a-model-of-ours") == []


def test_the_worst_is_told_first() -> None:
    judged = findings(
        [made("find", schema=holding(const=1)), made("wipe", approval="x")], Yardstick()
    )

    assert [one.severity for one in judged] == sorted(
        (one.severity for one in judged), key=list(Severity).index
    )
    assert judged[0].severity == Severity.ERROR
