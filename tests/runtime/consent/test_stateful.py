"""The runtime against every order of events that hypothesis thinks of, shrunk to the shortest."""

import logging
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from comal_runtime.context import CallKey

from .stateful.house import Process
from .stateful.misuse import FORGED, MISUSES
from .stateful.people import BO, CY, DI, VOTERS
from .stateful.sequential import RULES
from .stateful.story import Story

WHICH = st.integers(0, 1)
ANY = st.integers(0, 99)


class Consents(RuleBasedStateMachine):
    """One story; its rules are what may happen next, and after each `Truth` says if all is well."""

    def __init__(self) -> None:
        super().__init__()
        self.story = Story()
        self.begin("single")

    @initialize(rules=st.sampled_from(list(RULES)))
    def begin(self, rules: str) -> None:
        self.story.close()
        self.story = Story(rules=RULES[rules])
        self.story.shared.behaves.update({"a": "does", "b": "refuses", "c": "breaks"})
        self.story.shared.behaves.update({"d": "hangs", "e": "is late"})

    def teardown(self) -> None:
        try:
            self.story.finish()
        finally:
            self.story.close()

    def process(self, which: int) -> Process:
        return self.story.processes[which]

    @rule(which=WHICH, tool=st.sampled_from(("wipe", "refund")), disk=st.sampled_from("abcde"))
    def ask(self, which: int, tool: str, disk: str) -> None:
        self.story.ask(self.process(which), tool, disk)

    @rule(which=WHICH, tool=st.sampled_from(("wipe", "note")))
    def ask_in_a_turn(self, which: int, tool: str) -> None:
        self.story.ask(self.process(which), tool, "a", CallKey(turn=tool, step=1, index=0))

    @precondition(lambda self: self.story.can_go_on())
    @rule(choices=st.lists(ANY, min_size=1, max_size=12))
    def go_on(self, choices: list[int]) -> None:
        for choice in choices:
            gates = self.story.can_go_on()
            if gates:
                self.story.open(gates[choice % len(gates)])

    @precondition(lambda self: self.story.tokens)
    @rule(which=WHICH, token=ANY)
    def redeem(self, which: int, token: int) -> None:
        self.story.redeem(self.process(which), self._token(token))

    @precondition(lambda self: self.story.tokens)
    @rule(
        which=WHICH,
        token=ANY,
        how=st.sampled_from(MISUSES),
    )
    def misuse(self, which: int, token: int, how: str) -> None:
        self.story.misuse(self.process(which), self._token(token), how)

    @precondition(lambda self: self.story.questions)
    @rule(
        which=WHICH,
        question=ANY,
        how=st.sampled_from(FORGED),
    )
    def forge(self, which: int, question: int, how: str) -> None:
        self.story.forge(self.process(which), self._question(question), how)

    @precondition(lambda self: self.story.questions)
    @rule(
        which=WHICH,
        question=ANY,
        voter=st.sampled_from(VOTERS),
        yes=st.booleans(),
        reason=st.sampled_from((None, "so it is")),
    )
    def tap(self, which: int, question: int, voter: str, yes: bool, reason: str | None) -> None:
        key = self._question(question)
        self.story.tap(self.process(which), key, voter, yes=yes, reason=reason)

    @rule(which=WHICH)
    def work(self, which: int) -> None:
        self.story.work(self.process(which))

    @rule(which=WHICH)
    def sweep(self, which: int) -> None:
        self.story.sweep(self.process(which))

    @rule(which=WHICH)
    def sign(self, which: int) -> None:
        self.story.sign(self.process(which))

    @rule()
    def time_passes(self) -> None:
        self.story.let_time_pass()

    @rule(seconds=st.sampled_from((1.5, 40.0, 70.0, 4000.0)))
    def the_machine_sleeps(self, seconds: float) -> None:
        self.story.jump(seconds)

    @rule(seconds=st.sampled_from((-4000.0, -50.0, 50.0)))
    def the_wall_clock_steps(self, seconds: float) -> None:
        self.story.step_clock(seconds)

    @rule(which=WHICH)
    def kill(self, which: int) -> None:
        self.story.kill(self.process(which))

    @rule(which=WHICH, what=st.sampled_from(("fails_in", "dies_in")), statements=st.integers(0, 6))
    def a_statement_fails(self, which: int, what: str, statements: int) -> None:
        self.story.strike(self.process(which), what, statements)

    @rule(which=WHICH, what=st.sampled_from(("silent_commits", "lost_commits")))
    def a_commit_is_not_answered(self, which: int, what: str) -> None:
        self.story.strike(self.process(which), what, 1)

    @rule(which=WHICH, what=st.sampled_from(("frozen", "slow")), begins=st.booleans())
    def freeze(self, which: int, what: str, begins: bool) -> None:
        self.story.strike(self.process(which), what, begins)

    @precondition(lambda self: self.story.calls)
    @rule(number=ANY)
    def cancel(self, number: int) -> None:
        self.story.cancel(number % len(self.story.calls))

    @rule(which=WHICH, version=st.sampled_from("12"))
    def deploy(self, which: int, version: str) -> None:
        self.story.deploy(self.process(which), version)

    @rule(scopes=st.sampled_from(((), ("disk",))))
    def rights_change(self, scopes: tuple[str, ...]) -> None:
        self.story.shared.scopes = scopes

    @rule(who=st.sampled_from((BO, CY, DI)))
    def a_role_is_taken_away(self, who: str) -> None:
        self.story.shared.directory.held[who] = frozenset()

    def _token(self, number: int) -> Any:
        return self.story.tokens[number % len(self.story.tokens)]

    def _question(self, number: int) -> str:
        return self.story.questions[number % len(self.story.questions)]


@pytest.mark.parametrize(
    ("examples", "steps"),
    [
        pytest.param(100, 40),
        pytest.param(3_000, 80, marks=[pytest.mark.fuzz, pytest.mark.timeout(1800)]),
    ],
)
@pytest.mark.runtime_line(22, 23, 24, 29, 37)
def test_no_order_of_events_breaks_the_promise(examples: int, steps: int) -> None:
    logging.disable(logging.CRITICAL)
    try:
        run_state_machine_as_test(
            Consents,
            settings=settings(
                max_examples=examples,
                stateful_step_count=steps,
                deadline=None,
                suppress_health_check=list(HealthCheck),
                print_blob=True,
            ),
        )
    finally:
        logging.disable(logging.NOTSET)
