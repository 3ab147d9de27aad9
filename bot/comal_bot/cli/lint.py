"""`comal tools lint`: what of the tools is to be mended before models and people meet them."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from comal_bot.cautions import cautions
from comal_bot.lint import Finding, Severity, Yardstick, findings, provider_at
from comal_bot.routing import route_faults
from comal_bot.settings import Settings, load_settings
from comal_bot.tooling import directory, offered
from comal_runtime.tools import Tool

from .codes import FAILED
from .complaints import complain
from .knowing import known_people
from .printing import print_json, print_text
from .tools import NAME_THEM, wired_registry

_INDENT = 2
_IDLE = ("route.", "limits.", "policy.rule_")


def lint(config: Path | None, tools: Sequence[str], *, as_json: bool, strict: bool) -> int:
    """Print what is to be mended; return the exit code: 1 for errors, if strict for warnings too.

    Raises:
        BadSettings: Settings or tools cannot be used.
    """
    settings = load_settings(config, tools=tools)
    registry = wired_registry(settings, config)
    judged, every = offered(registry), registry.get_tool_definitions()
    found = [*_faulty(settings, every), *findings(judged, _yardstick(settings))]
    found += _idle(settings, every)
    if as_json:
        print_json([one.to_dict() for one in found])
    else:
        for one in found:
            _print(one)
        print_text(_summed(found, len(judged)))
    if not judged:
        complain(f"there are no tools; {NAME_THEM}")
        return FAILED
    failing = {Severity.ERROR, Severity.WARNING} if strict else {Severity.ERROR}
    return FAILED if any(one.severity in failing for one in found) else 0


def _faulty(settings: Settings, tools: Sequence[Tool]) -> list[Finding]:
    """Find routes that `comal run` refuses to serve with."""
    people = known_people(settings)
    return [
        Finding(
            severity=Severity.ERROR,
            rule=f"route.{one.kind}",
            tool=one.tool,
            pointer="",
            what=f"route {one.route!r} {one.text.partition('; ')[0]}",
            mend=one.text.partition("; ")[2],
        )
        for one in route_faults(settings.routing(), tools, people)
    ]


def _idle(settings: Settings, tools: Sequence[Tool]) -> list[Finding]:
    """Find routes, rules and limits that do nothing for these tools."""
    return [
        Finding(
            severity=Severity.WARNING,
            rule=one.event,
            tool="",
            pointer="",
            what=f"{', '.join(f'{name} {said}' for name, said in one.about.items())}: {one.effect}",
            mend="correct what it names in the settings, or take it out",
        )
        for one in cautions(settings, tools, directory(settings))
        if one.event.startswith(_IDLE)
    ]


def _yardstick(settings: Settings) -> Yardstick:
    held = {role for person in settings.people for role in person.roles}
    granted = [one.scopes for name, one in settings.roles.items() if name in held]
    return Yardstick(
        provider=provider_at(settings.model.address),
        model=settings.model.name,
        routes=settings.routing(),
        granted=frozenset(scope for scopes in granted for scope in scopes),
    )


def _print(one: Finding) -> None:
    place = f"{one.tool}{one.pointer}" or "all tools"
    print_text(f"{one.severity}  {place}  [{one.rule}]")
    print_text(one.what, indent=_INDENT)
    print_text(f"mend: {one.mend}", indent=_INDENT)


def _summed(found: Sequence[Finding], tools: int) -> str:
    counts = Counter(one.severity for one in found)
    said = [_counted(counts[severity], severity) for severity in Severity if counts[severity]]
    return f"{_counted(tools, 'tool')}: {', '.join(said) or 'nothing to mend'}"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
