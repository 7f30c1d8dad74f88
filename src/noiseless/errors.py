"""Everything that can go wrong, in one tree.

::

    NoiselessError
    ├── InputError                 an input that is refused (also a ValueError)
    │   ├── NumberError            not an exact finite number
    │   ├── CountError             not a number of answers
    │   ├── SpaceError             a sample space that is empty, ragged or ambiguous
    │   ├── UnknownVariableError   a name or value that the space does not have (also a LookupError)
    │   ├── ChannelError           a channel that is empty, has an input without output, is not boolean
    │   ├── RangeError             bounds or edges that do not make a range
    │   ├── DomainError            data outside what was declared, or a declaration that does not fit
    │   ├── SchemaError            a declaration that is wrong, or that does not fit the table
    │   │   └── PromiseError       a table that breaks a promise of its schema
    │   ├── SourceError            a table that cannot be opened
    │   ├── SnapshotError          a table, schema or version that differs from the one the budget belongs to
    │   ├── CertificateError       a certificate that is malformed, wrong or not signed by the key
    │   ├── KeyFileError           a signing key that is missing, or that others can read
    │   ├── QuestionError          a question that cannot be read or is not supported
    │   ├── CompositionError       releases that cannot be counted together
    │   ├── BudgetError            bits, counts or errors that no mechanism can meet
    │   ├── UndecidedError         a comparison that the intervals do not decide
    │   └── TooLargeError          more cases than can be tried
    ├── BudgetExceededError        a question that would cost more than is left
    ├── HeldError                  a question that waits for the custodian's approval
    ├── FrozenError                a dataset that the custodian has frozen
    ├── LedgerError                the ledger cannot be read or written, or was tampered with
    ├── ServiceError               a server that cannot be reached, or does not let the caller in
    ├── EngineError                the database failed; its message is withheld, because it may quote data
    ├── NotCertifiableError        0/0, ∞/∞ or ∞−∞: no number is right (also an ArithmeticError)
    ├── TimeLimitError             the best found so far is not proved best (also a TimeoutError)
    └── MissingExtraError          an optional part is not installed (also an ImportError)

A message names the thing, the rule it breaks and the next step. It quotes what the caller wrote and what is
public, never a private value.
"""


class NoiselessError(Exception):
    """Any error raised on purpose by this package."""


class InputError(NoiselessError, ValueError):
    """An input that is refused."""


class NumberError(InputError):
    """Not an exact finite number."""


class CountError(InputError):
    """Not a number of answers."""


class SpaceError(InputError):
    """A sample space that is empty, ragged or ambiguous."""


class UnknownVariableError(InputError, LookupError):
    """A name or value that the space does not have."""


class ChannelError(InputError):
    """A channel that is empty, has an input without output, or is not boolean."""


class RangeError(InputError):
    """Bounds or edges that do not make a range."""


class DomainError(InputError):
    """Data outside what was declared, or a declaration that does not fit."""


class SchemaError(InputError):
    """A declaration that is wrong, or that does not fit the table."""


class PromiseError(SchemaError):
    """A table that breaks a promise of its schema; `check` has the numbers, for the custodian only."""

    def __init__(self, message: str, check: object = None) -> None:
        super().__init__(message)
        self.check = check


class SourceError(InputError):
    """A table that cannot be opened."""


class SnapshotError(InputError):
    """A table, schema or version that differs from the one the budget belongs to."""


class CertificateError(InputError):
    """A certificate that is malformed, wrong or not signed by the key."""


class KeyFileError(InputError):
    """A signing key that is missing, or that others can read."""


class QuestionError(InputError):
    """A question that cannot be read or is not supported."""


class CompositionError(InputError):
    """Releases that cannot be counted together."""


class BudgetError(InputError):
    """Bits, counts or errors that no mechanism can meet."""


class UndecidedError(InputError):
    """A comparison that the intervals do not decide."""


class TooLargeError(InputError):
    """More cases than can be tried."""


class BudgetExceededError(NoiselessError):
    """A question that would cost more than is left; it was not asked and nothing was charged."""


class HeldError(NoiselessError):
    """A question that waits for the custodian's approval, as `hold`; no private data were read."""

    def __init__(self, message: str, hold: int = 0) -> None:
        super().__init__(message)
        self.hold = hold


class FrozenError(NoiselessError):
    """A dataset that the custodian has frozen: only what costs nothing is answered."""


class LedgerError(NoiselessError):
    """The ledger cannot be read or written, or was tampered with."""


class ServiceError(NoiselessError):
    """A server that cannot be reached, or does not let the caller in."""


class EngineError(NoiselessError):
    """The database failed. Its message is withheld, because it may quote data."""


class NotCertifiableError(NoiselessError, ArithmeticError):
    """0/0, ∞/∞ or ∞−∞: no number would be correct, so none is returned."""


class TimeLimitError(NoiselessError, TimeoutError):
    """The time limit was reached before the best result found was proved best."""


class MissingExtraError(NoiselessError, ImportError):
    """An optional part of the package is not installed."""
