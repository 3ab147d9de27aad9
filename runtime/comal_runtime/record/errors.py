"""What the record raises: RecordError > StoreUnavailable > ForeignLoop; NestedTransaction."""


class RecordError(Exception):
    """The record could not do what was asked."""


class StoreUnavailable(RecordError):
    """The store did not take the transaction; whether a lost COMMIT took is not known."""


class ForeignLoop(StoreUnavailable):
    """Another event loop uses the record; nothing was done for this one."""

    def __init__(self) -> None:
        super().__init__("this record is in use by another event loop; give each loop its own")


class NestedTransaction(RecordError):
    """One task opened a transaction inside its own; it would wait for itself."""
