"""The recorded vectors hold here, but for the rows that a decision or a rule corrects."""

from pathlib import Path

import pytest

from tests.vectors.decisions import load_decisions
from tests.vectors.rows import load
from tests.vectors.running import Verdict, run_rows

lines = pytest.mark.runtime_line
faults = pytest.mark.original_fault

FILES = (
    pytest.param(
        "schema_validator",
        marks=[
            lines(9, 14, 15, 25),
            faults("SV:nested-wrong-type", "SV:nested-missing-required", "SV:nested-additional"),
            faults("SV:items-bad", "SV:nullable-true-null", "SV:type-number-spacestr-trail"),
            faults("SV:type-number-numstr_int", "SV:type-number-newline", "SV:type-unknown-any"),
            faults("SV:type-null-str", "SV:const-ignored", "SV:anyof-ignored", "SV:ref-ignored"),
            faults("SV:len-minitems-ignored", "SV:uniqueitems-ignored", "SV:empty-schema-args"),
            faults("SV:schema-root-type-string", "SV:type-object-empty_list"),
            faults("SV:type-object-listlike-keys", "SV:type-array-listlike-keys"),
            faults("SV:type-integer-float_whole", "SV:enum-message-mixed", "SV:clamp-bool-false"),
            faults("SV:clamp-array", "SV:clamp-maxlength-and-max", "SV:clamp-inverted-low"),
            faults("SV:addl-false-confirm-token", "SV:addl-false-numeric-key"),
            faults("SV:schema-enum-string"),
        ],
    ),
    pytest.param(
        "tool_scanner",
        marks=[
            lines(1, 2, 3, 4, 5, 6, 7, 8),
            faults("TS:invoke-union-float-int", "TS:invoke-mixed-list", "TS:invoke-class-string"),
            faults("TS:schema-p_nullable_int", "TS:invoke-nullable-null-explicit"),
            faults("TS:invoke-nullable-default-null-explicit", "TS:schema-p_variadic"),
            faults("TS:invoke-variadic-list", "TS:schema-p_unit_enum_default"),
            faults("TS:schema-p_array", "TS:schema-a_type_object_props_empty"),
            faults("TS:context-setter-interleaved", "TS:schema-a_param_default_ignored"),
            faults("TS:schema-a_description_zero", "TS:schema-a_clamp_one"),
            faults("TS:overridden-method", "TS:scan-duplicate", "TS:invoke-param-clamp-rejects"),
            faults("TS:schema-p_ctx_magic", "TS:schema-a_everything", "TS:schema-o_confirm"),
        ],
    ),
    pytest.param(
        "tool_result",
        marks=[lines(52, 53, 55), faults("TR:confirm-token-nonstring")],
    ),
    pytest.param(
        "events",
        marks=[
            lines(31, 38, 40),
            faults("EV:wild-regexchars", "EV:wild-newline"),
            faults("EV:exact-before-wild-same-priority"),
        ],
    ),
    pytest.param(
        "renderers",
        marks=[
            lines(54),
            faults("RR:default-success-data-list-untyped", "RR:default-object-value"),
            faults("RR:cli-list-assoc-keys", "RR:registry-json-invalid-utf8"),
            faults("RR:default-confirmation-runtime", "RR:registry-tui-not-cli"),
            faults("RR:cli-list-string-id", "RR:cli-detail-long-label"),
        ],
    ),
    pytest.param(
        "rate_limiter",
        marks=[
            lines(20, 23),
            faults("RL:fixed-window-burst", "RL:usage-window-hardcoded-60"),
            faults("RL:usage-short-window", "RL:cost-over-max", "RL:cost-negative"),
            faults("RL:clock-backwards", "RL:cleanup"),
        ],
    ),
    pytest.param(
        "token_estimator",
        marks=[
            lines(58),
            faults("TE:model-claude-3-5-sonnet-20241022", "TE:model-gpt-4.1", "TE:model-o1"),
            faults("TE:model-openai/gpt-4o", "TE:model-GPT-4o"),
            faults("TE:registry-within-budget-priority", "TE:text-cjk"),
        ],
    ),
)


@pytest.mark.parametrize("name", FILES)
async def test_every_row_of_the_file_holds(name: str, shared: Path) -> None:
    rows = load(shared / "vectors" / f"{name}.json")

    outcomes = await run_rows(rows, load_decisions())

    assert {one.row.id: one.why for one in outcomes if one.verdict is not Verdict.PASSED} == {}
