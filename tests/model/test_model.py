"""Two workers, a question and its act: no interleaving breaks the promise."""

from dataclasses import replace

import pytest

from comal_runtime.record import ActState, QuestionState

from .explore import ASKED, GRANTED_BY_A_RULE, NEEDS_NO_YES, Explored, explored
from .moves import Rules
from .table import NONE
from .together import TOGETHER
from .world import World

KEPT = Rules()


@pytest.fixture(scope="module")
def asked() -> Explored:
    return explored(ASKED)


@pytest.mark.runtime_line(29, 37)
def test_no_interleaving_runs_a_tool_twice_or_without_a_yes_or_says_what_is_not_true(
    asked: Explored,
) -> None:
    assert asked.broken is None


@pytest.mark.runtime_line(37)
def test_whatever_happened_every_question_and_act_ends_and_people_know_how(
    asked: Explored,
) -> None:
    assert asked.stuck() is None


@pytest.mark.runtime_line(37)
@pytest.mark.parametrize("start", [NEEDS_NO_YES, GRANTED_BY_A_RULE])
def test_a_call_that_asks_nobody_runs_once_and_its_end_is_told(start: World) -> None:
    unasked = explored(start)

    assert unasked.broken is None
    assert unasked.stuck() is None


def test_question_and_act_rest_as_the_document_says_and_in_no_other_way(asked: Explored) -> None:
    rest = {(world.question, world.act) for world in asked.came_from if world.at_rest}
    told = {(str(one.question), str(act)) for one in TOGETHER for act in one.acts}
    running = {(str(QuestionState.APPROVED), str(act)) for act in ("approved", "started")}
    about_a_subject = {(str(QuestionState.APPROVED), NONE)}

    assert rest == told - running - about_a_subject - {(str(QuestionState.OPEN), NONE)}


@pytest.mark.parametrize(
    ("dropped", "faults", "breaks"),
    [
        ("claims_what_is_approved", 0, "ran twice"),
        ("a_claim_is_more_than_its_number", 1, "but in truth the tool did: began"),
        ("gives_back_only_before_the_tool", 1, "but in truth the tool did: began"),
        ("asks_when_over", 1, "settled_not_done, but in truth the tool did: began"),
    ],
)
def test_the_model_finds_a_story_that_breaks_the_promise_where_a_rule_is_dropped(
    dropped: str, faults: int, breaks: str
) -> None:
    walked = explored(ASKED._replace(faults=faults), replace(KEPT, **{dropped: False}))

    assert walked.broken is not None
    assert breaks in " ".join(walked.broken[1])


@pytest.mark.parametrize("dropped", ["sweeps", "tells"])
def test_the_model_finds_what_never_ends_where_a_rule_is_dropped(dropped: str) -> None:
    walked = explored(ASKED._replace(faults=1), replace(KEPT, **{dropped: False}))

    assert walked.stuck() is not None


@pytest.mark.fuzz
@pytest.mark.timeout(1800)
def test_three_faults_together_break_the_promise_no_more_than_two() -> None:
    walked = explored(ASKED._replace(faults=3))

    assert walked.broken is None
    assert walked.stuck() is None


def test_the_walk_meets_every_kind_of_step(asked: Explored) -> None:
    met = {name.replace("w0", "w").replace("w1", "w") for name in asked.names}

    assert {
        "w dies",
        "w freezes",
        "w is called off",
        "w gives back and tries again",
        "w woke too late",
        "w hears nothing of its claim, not stored",
        "w hears nothing of the end, stored",
        "w's tool, late: done",
        "w is refused by the law",
        "the wall clock steps back",
        "sweep: lose",
        "undo",
        "it is looked up: settle_done",
        "it is looked up: settle_not_done",
        "a person leaves it",
    } <= met


def test_a_story_leads_to_where_it_is_told_of(asked: Explored) -> None:
    ended = World(question="cancelled", telling=True, shown=None)

    assert asked.story(ended) == ["cancel"]
    assert ActState.DONE in {world.act for world in asked.came_from}
