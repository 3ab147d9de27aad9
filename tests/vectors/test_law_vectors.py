"""The recorded vectors of the law hold here, but for what a line of the contract decides."""

from pathlib import Path

import pytest

from tests.vectors.decisions import load_decisions
from tests.vectors.rows import load
from tests.vectors.running import Verdict, run_rows

lines = pytest.mark.runtime_line
faults = pytest.mark.original_fault

FILES = (
    pytest.param(
        "policy_gate",
        marks=[
            lines(16, 17, 18, 19, 21, 59, 60),
            faults("PG:confirm-cli-read-rc", "PG:base-telegram-null", "PG:custom-unknown-key"),
            faults("PG:override-mcp-merge", "PG:sig-fingerprint-telegram"),
            faults("PG:custom-allow_all-scope-miss", "PG:rule-unknown-effect-web"),
            faults("PG:session-granted-list", "PG:scope-space-principal"),
            faults("PG:ctx-factory-mcp-defaults", "PG:ctx-factory-telegram-nouser"),
            faults("PG:scope-mcp-any-of", "PG:scope-prefix-wildcard"),
        ],
    ),
    pytest.param(
        "registry_call",
        marks=[
            lines(8, 11, 13, 14, 15, 16, 17, 18, 20, 21, 22, 23, 24, 25, 26, 27, 28),
            lines(30, 31, 32, 33, 34, 35, 36, 56, 57),
            faults("RC:confirm-other-channel", "RC:confirm-self-confirm"),
            faults("RC:confirm-summary-truncation", "RC:confirm-redeem-different-args"),
            faults("RC:confirm-redeem-only-token-required", "RC:confirm-strict-schema"),
            faults("RC:confirm-strict-schema-declared", "RC:confirm-other-registry-instance"),
            faults("RC:confirm-unbounded-tokens", "RC:confirm-int-token", "RC:confirm-expired"),
            faults("RC:confirm-wrong-tool", "RC:veto-burns-token", "RC:confirm-at-ttl"),
            faults("RC:confirm-exception-burns-token", "RC:rate-limit-strands-token"),
            faults("RC:confirm-token-when-not-needed", "RC:cli-confirm-tool"),
            faults("RC:default-context", "RC:unknown-channel-warning-lost", "RC:summaries"),
            faults("RC:validation-before-authorization", "RC:rate-limit-not-consumed-on-deny"),
            faults("RC:plan-mutating-telegram", "RC:plan-does-not-redeem"),
            faults("RC:dispatcher-throws-executing", "RC:dispatcher-throws-executed-failed"),
            faults("RC:malformed-schema-typeerror", "RC:timeout-exceeded", "RC:timeout-throwing"),
            faults("RC:success-toolresult", "RC:timeout-toolresult", "RC:toolresult-meta-takeover"),
            faults("RC:callback-throws", "RC:clamps-after-validation", "RC:veto"),
            faults("RC:shortcircuit-toolresult", "RC:empty-schema-skips-validation"),
            faults("RC:not-found", "RC:plan-read", "RC:redaction", "RC:audit-newline-injection"),
            faults("RC:audit-pipe-injection", "RC:audit-ip-dropped", "RC:audit-invalid-utf8"),
            faults("RC:validation-error", "RC:forbidden-scope", "RC:shortcircuit-raw"),
        ],
    ),
    pytest.param(
        "verification",
        marks=[
            lines(39, 41, 42, 43, 44, 45, 46, 47),
            faults("VF:resolve-unknown-id", "VF:resolve-twice", "VF:resolve-spoofed-principal"),
            faults("VF:resolve-self-approval", "VF:request-policy-auto", "VF:flow-grant"),
            faults("VF:request-duplicate-id", "VF:request-blank-id"),
            faults("VF:resolve-subject-mismatch", "VF:request-listener-throws"),
            faults("VF:request-no-dispatcher", "VF:telegram-resolve-four-calls"),
            faults("VF:request-no-requested-by", "VF:request-requested-by-spoof", "VF:flow-reject"),
        ],
    ),
    pytest.param(
        "inspection",
        marks=[
            lines(48, 49, 50),
            faults(
                "IN:cli-confirm", "IN:custom-block-mutating", "IN:custom-require-confirm-signed"
            ),
            faults("IN:mcp-scoped-missing", "IN:custom-allow-all-scoped"),
            faults("IN:telegram-mutating-plan-mode", "IN:mcp-anonymous", "IN:cli-read-bare"),
        ],
    ),
)


@pytest.mark.parametrize("name", FILES)
async def test_every_row_of_the_law_holds(name: str, shared: Path) -> None:
    rows = load(shared / "vectors" / f"{name}.json")

    outcomes = await run_rows(rows, load_decisions())

    assert {one.row.id: one.why for one in outcomes if one.verdict is not Verdict.PASSED} == {}


@pytest.mark.parametrize("name", FILES)
async def test_the_rules_alone_hold_for_every_row_of_the_law(name: str, shared: Path) -> None:
    rows = load(shared / "vectors" / f"{name}.json")

    outcomes = await run_rows(rows, {})

    assert {one.row.id: one.why for one in outcomes if one.verdict is not Verdict.PASSED} == {}
