"""What the record raises: RecordError > StoreUnavailable, NestedTransaction."""


class RecordError(Exception):
    """The record could not do what was asked."""


class StoreUnavailable(RecordError):
    """The store did not take the transaction; whether a lost COMMIT took is not known."""


class NestedTransaction(RecordError):
    """One task opened a transaction inside its own; it would wait for itself."""
