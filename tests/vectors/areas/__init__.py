"""The kinds of vectors: one module each, with `fits` and `differs`."""

from tests.vectors.areas import (
    events,
    gateway,
    inspection,
    policy_gate,
    rate_limiter,
    registry_call,
    renderers,
    schema_validator,
    token_estimator,
    tool_result,
    tool_scanner,
    verification,
)
from tests.vectors.areas.area import Area, compared

AREAS: tuple[Area, ...] = (
    compared("schema_validator", "SV", schema_validator.fits, schema_validator.COMPARISON),
    compared("tool_scanner", "TS", tool_scanner.fits, tool_scanner.COMPARISON),
    compared("tool_result", "TR", tool_result.fits, tool_result.COMPARISON),
    compared("events", "EV", events.fits, events.COMPARISON),
    compared("renderers", "RR", renderers.fits, renderers.COMPARISON),
    compared("rate_limiter", "RL", rate_limiter.fits, rate_limiter.COMPARISON),
    compared("token_estimator", "TE", token_estimator.fits, token_estimator.COMPARISON),
    Area(
        name="policy_gate",
        prefix="PG",
        fits=policy_gate.fits,
        differs=policy_gate.differs,
        recorded=policy_gate.recorded,
        ruled=policy_gate.ruled,
    ),
    Area(
        name="registry_call",
        prefix="RC",
        fits=registry_call.fits,
        differs=registry_call.differs,
        recorded=registry_call.recorded,
        ruled=registry_call.ruled,
    ),
    Area(
        name="verification",
        prefix="VF",
        fits=verification.fits,
        differs=verification.differs,
        recorded=verification.recorded,
        ruled=verification.ruled,
    ),
    Area(
        name="inspection",
        prefix="IN",
        fits=inspection.fits,
        differs=inspection.differs,
        recorded=inspection.recorded,
        ruled=inspection.ruled,
    ),
    Area(name="gateway", prefix="GW", fits=gateway.fits, differs=gateway.differs),
)
