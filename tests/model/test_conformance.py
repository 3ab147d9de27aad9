"""The record takes exactly the transitions of the table."""

import pytest

from comal_runtime.record import ActState, QuestionState, Record, memory_record
from tests.runtime.record.contracts.rows import NOW, act, question

from .statements import ACT_STATEMENTS, KEY, QUESTION_STATEMENTS, Moment, Statement
from .table import ACT, FINAL_ACTS, FINAL_QUESTIONS, NONE, QUESTION, Edge
from .together import TOGETHER

NUMBER = 3  # of the attempt that holds the act
TIMELY = NOW
TOO_LATE = NOW + 9999.0


async def _arranged(state: str, edges: tuple[Edge, ...]) -> Record:
    record = memory_record()
    async with record.transaction() as tx:
        if state == NONE:
            return record
        if edges is QUESTION:
            assert await tx.questions.open(question(KEY, state=QuestionState(state)))
        else:
            held = {"attempt": NUMBER, "instance": "worker", "claimed_boot": 1000.0}
            assert await tx.acts.open(act(KEY, state=ActState(state), **held))
    return record


async def _state(record: Record, edges: tuple[Edge, ...]) -> str:
    async with record.reading() as stored:
        row = await (stored.questions if edges is QUESTION else stored.acts).get(KEY)
    return NONE if row is None else str(row.state)


async def _disagreements(
    edge: Edge, statement: Statement, edges: tuple[Edge, ...], at: Moment
) -> list[str]:
    """Try one statement in every state; say where the record and the table differ."""
    kinds: type[ActState] | type[QuestionState] = QuestionState if edges is QUESTION else ActState
    found = []
    for state in (NONE, *map(str, kinds)):
        record = await _arranged(state, edges)
        refused = (edge.timely and at.now == TOO_LATE) or (edge.holder and at.number != NUMBER)
        expected = str(edge.frm) == state and not refused
        async with record.transaction() as tx:
            won = bool(await statement(tx, at))
        after = await _state(record, edges)
        if (won, after) != (expected, str(edge.to) if expected else state):
            found.append(f"{edge.event} in {state}: won={won}, then {after}")
    return found


@pytest.mark.parametrize("at", [TIMELY, TOO_LATE])
@pytest.mark.parametrize("number", [NUMBER, NUMBER - 1])
@pytest.mark.parametrize("edge", ACT, ids=lambda edge: edge.event)
@pytest.mark.runtime_line(37)
async def test_the_record_moves_an_act_as_the_table_says_and_in_no_other_state(
    edge: Edge, number: int, at: float
) -> None:
    moment = Moment(now=at, number=number)

    assert await _disagreements(edge, ACT_STATEMENTS[edge.event], ACT, moment) == []


@pytest.mark.parametrize("at", [TIMELY, TOO_LATE])
@pytest.mark.parametrize("edge", QUESTION, ids=lambda edge: edge.event)
async def test_the_record_moves_a_question_as_the_table_says_and_in_no_other_state(
    edge: Edge, at: float
) -> None:
    moment = Moment(now=at)

    assert await _disagreements(edge, QUESTION_STATEMENTS[edge.event], QUESTION, moment) == []


def test_each_event_of_the_table_has_its_statement() -> None:
    assert set(QUESTION_STATEMENTS) == {edge.event for edge in QUESTION}
    assert set(ACT_STATEMENTS) == {edge.event for edge in ACT}


def test_nothing_leads_out_of_a_final_state() -> None:
    assert not {edge.event for edge in QUESTION if edge.frm in FINAL_QUESTIONS}
    assert not {edge.event for edge in ACT if edge.frm in FINAL_ACTS}


def test_every_state_is_reached_by_an_edge() -> None:
    reached = {str(edge.to) for edge in (*QUESTION, *ACT)}

    assert reached == {str(state) for state in (*QuestionState, *ActState)}


def test_every_standing_is_of_states_that_are_built() -> None:
    questions = {str(one.question) for one in TOGETHER}
    acts = {str(state) for one in TOGETHER for state in one.acts}

    assert questions == {str(edge.to) for edge in QUESTION}
    assert acts == {str(edge.to) for edge in ACT} | {NONE}
