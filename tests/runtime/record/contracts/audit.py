"""What the audit's repository promises."""

from dataclasses import replace

import pytest

from comal_runtime.record import Chain, Link, Record, Sought
from comal_runtime.record.audit import ARGS_REMOVED

from .rows import NOW, audited


def chain(name: str = "c1", **changes: object) -> Chain:
    facts = {"began_at": NOW, "start": "{}", "first": 0, "last": 0, "mac": "m", "seal": "s"}
    return Chain(id=name, **{**facts, **changes})


class AuditContract:
    """Inherit it and give a `record`."""

    async def test_records_come_back_as_they_were_added_in_order(self, record: Record) -> None:
        rows = [audited(f"r{n}", code="FORBIDDEN", ip="::1") for n in range(3)]
        async with record.transaction() as tx:
            await tx.audit.add(rows)

        async with record.reading() as stored:
            every = await stored.audit.after(0, limit=9)
            rest = await stored.audit.after(every[0][0], limit=1)
        assert [one for _, one in every] == rows
        assert [one for _, one in rest] == rows[1:2]

    async def test_links_come_back_with_their_records(self, record: Record) -> None:
        links = [Link("c1", n, f"p{n}", f"m{n}") for n in range(2)]
        async with record.transaction() as tx:
            await tx.audit.add([audited("old")])
            await tx.audit.add([audited("r0"), audited("r1")], links)

        async with record.reading() as stored:
            page = await stored.audit.page(Sought(), after=None, limit=9)
            held = [await stored.audit.holds(one) for one in (links[1], replace(links[1], mac="x"))]
            unchained = await stored.audit.unchained()
        assert [one.link for one in page] == [None, *links]
        assert held == [True, False]
        assert unchained == (1, page[0].seq)

    @pytest.mark.parametrize(
        ("sought", "found"),
        [
            (Sought(tool="pay"), ["r1"]),
            (Sought(tool="p*"), ["r1", "r2"]),
            (Sought(tool="pay_%"), []),
            (Sought(principal="telegram:1"), ["r2"]),
            (Sought(decision="refused_*"), ["r2"]),
            (Sought(since=NOW + 1), ["r1", "r2"]),
            (Sought(until=NOW + 1), ["r0"]),
            (Sought(tool="p*", since=NOW + 2), ["r2"]),
        ],
    )
    async def test_only_what_is_sought_is_read(
        self, record: Record, sought: Sought, found: list[str]
    ) -> None:
        rows = [
            audited("r0"),
            audited("r1", tool="pay", at=NOW + 1),
            audited(
                "r2", tool="pay_all", at=NOW + 2, principal="telegram:1", decision="refused_at_x"
            ),
        ]
        async with record.transaction() as tx:
            await tx.audit.add(rows)

        async with record.reading() as stored:
            page = await stored.audit.page(sought, after=None, limit=9)
            newest = await stored.audit.newest(sought, limit=1)
            count = await stored.audit.count(sought)
        assert [one.record.request_id for one in page] == found
        assert [one.record.request_id for one in newest] == found[-1:]
        assert count == len(found)

    async def test_a_chain_stands_where_it_was_last_advanced_to(self, record: Record) -> None:
        moved = chain(last=4, mac="m4", seal="s4", first=2)
        async with record.transaction() as tx:
            await tx.audit.begin(chain())
            await tx.audit.advance(moved)

        async with record.reading() as stored:
            assert await stored.audit.chain("c1") == moved
            assert await stored.audit.chain("c2") is None
            assert await stored.audit.chains() == [moved]

    async def test_a_followed_chain_is_unfollowed_again_once_it_goes_on(
        self, record: Record
    ) -> None:
        async with record.transaction() as tx:
            await tx.audit.begin(chain("c1"))
            await tx.audit.begin(chain("c2", began_at=NOW + 1), follows=[chain("c1")])
            at_rest = await tx.audit.unfollowed()
            await tx.audit.advance(chain("c1", last=1))
            moving = await tx.audit.unfollowed()

        assert [one.id for one in at_rest] == ["c2"]
        assert [one.id for one in moving] == ["c1", "c2"]

    async def test_dropping_a_chains_beginning_leaves_the_rest(self, record: Record) -> None:
        links = [Link("c1", n, "p", "m") for n in range(5)]
        async with record.transaction() as tx:
            await tx.audit.add([audited("old")])
            await tx.audit.add([audited(f"r{n}") for n in range(5)], links)
            await tx.audit.drop_before("c1", 3)

        async with record.reading() as stored:
            kept = [one.request_id for _, one in await stored.audit.after(0, limit=9)]
        assert kept == ["old", "r3", "r4"]

    async def test_taking_arguments_out_leaves_everything_else(self, record: Record) -> None:
        async with record.transaction() as tx:
            await tx.audit.add([audited(args='{"a":1}')])
            seq = await tx.audit.last_seq()
            gone = [await tx.audit.remove_args(seq), await tx.audit.remove_args(seq + 1)]

        async with record.reading() as stored:
            [(_, one)] = await stored.audit.after(0, limit=9)
        assert one == audited(args=ARGS_REMOVED)
        assert gone == [True, False]
