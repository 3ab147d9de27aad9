"""Who is known, for commands: the people of the settings and of the record."""

import asyncio
from pathlib import Path

from comal_bot.people import PeopleDirectory
from comal_bot.settings import Settings
from comal_bot.tooling import directory
from comal_runtime.record import Repositories
from comal_runtime.record.sqlite import SqliteSql

from .complaints import CommandFailed, complain
from .opening import opened


def known_people(settings: Settings) -> PeopleDirectory:
    """Return the people of the settings and, if there is a record that can be read, of that."""
    people = directory(settings)
    if settings.data.path.is_file():
        try:
            asyncio.run(_refreshed(people, settings.data.path))
        except CommandFailed as error:
            complain(f"only people of the settings are known: {error}")
    return people


async def _refreshed(people: PeopleDirectory, path: Path) -> None:
    with opened(path) as connection:
        await people.refresh(Repositories(SqliteSql(connection), _nobody_listens))


def _nobody_listens() -> None:
    pass
