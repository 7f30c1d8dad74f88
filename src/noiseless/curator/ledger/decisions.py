"""What the custodian and the analysts decide, as entries: each is refused if it does not fit those before it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from noiseless.curator.ledger.account import Account
from noiseless.curator.ledger.custody import BUDGET, QUOTA, Asked, Custody, Hold, Requested, has_expired
from noiseless.curator.ledger.entry import Decision, Entry, analyst_name
from noiseless.curator.ledger.state import State
from noiseless.errors import BudgetError, KeyFileError, QuestionError
from noiseless.exact.answers import MOST_BITS, answers_within
from noiseless.exact.number import Number, as_integer, shown

MOST_WORDS = 2000
"""The longest reason."""
MOST_OPEN = 20
"""The most requests of one analyst that may wait for a decision. The ledger keeps them all."""


def approve(account: Account, number: int, by: str) -> None:
    """Allow a question on hold to be asked."""

    def check(custody: Custody) -> None:
        if hold_in(custody, number).approved:
            raise QuestionError(f"hold {number} is approved already; its asker can ask the question now")

    _record(account, "approve", by, {"hold": str(number)}, check)


def refuse(account: Account, number: int, reason: str, by: str) -> None:
    """Refuse a question on hold, or a request, for a reason. What was reserved is free again."""
    said = _words(reason, "reason")

    def body(custody: Custody) -> dict[str, Any]:
        return {_kind(custody, number): str(number), "reason": said}

    _record(account, "refuse", by, body)


def withdraw(account: Account, number: int, analyst: str) -> None:
    """Take back a question on hold, or a request. What was reserved is free again."""

    def body(custody: Custody) -> dict[str, Any]:
        what = _kind(custody, number)
        asker = (custody.holds if what == "hold" else custody.requests)[number].analyst
        if asker != analyst:
            raise QuestionError(f"{what} {number} is somebody else's; only its asker can withdraw it")
        return {what: str(number)}

    _record(account, "withdraw", analyst, body)


def expire(account: Account) -> int:
    """End every hold whose time is over, and say how many."""
    ended = 0
    while True:
        at = datetime.now(UTC).isoformat(timespec="seconds")

        def decided(state: State, at: str = at) -> tuple[Decision, str, dict[str, Any]] | None:
            due = (hold.number for hold in state.custody.holds.values() if has_expired(hold, at))
            number = next(due, None)
            return None if number is None else ("expire", "", {"hold": str(number), "at": at})

        if account.record(decided) is None:
            return ended
        ended += 1


def request(account: Account, analyst: str, about: str, bits: Number, reason: str) -> int:
    """Ask the custodian for more of the budget, or of one's own quota. Returns the number of the request."""
    if about not in (BUDGET, QUOTA):
        raise QuestionError(f"about={shown(about)} must be 'quota' or 'budget'")
    body = {"for": about, "bits": shown_bits(bits), "factor": str(_factor(bits)), "reason": _words(reason, "reason")}
    if about == QUOTA and account.quotas is None:
        raise QuestionError("this dataset has no quotas; request more of the budget, with about='budget'")

    def check(custody: Custody) -> None:
        if sum(each.analyst == analyst for each in custody.requests.values()) >= MOST_OPEN:
            raise QuestionError(f"{MOST_OPEN} of your requests are not decided yet; wait, or withdraw one")

    return _record(account, "request", analyst, body, check).number


def grant(account: Account, number: int, bits: Number | None, by: str) -> None:
    """Grant a request, as it was made or with other bits. The raised quota or budget is an entry of the ledger."""
    given = None if bits is None else _factor(bits)

    def decided(state: State) -> tuple[Decision, str, dict[str, Any]]:
        known = request_in(state.custody, number)
        factor = known.factor if given is None else given
        if known.about == BUDGET and state.budget * factor > 1 << MOST_BITS:
            raise BudgetError(f"the budget would be more than {MOST_BITS} bits, which gives no protection; grant fewer")
        return "grant", by, {"request": str(number), "factor": str(factor)}

    account.record(decided)


def freeze(account: Account, reason: str, by: str) -> None:
    """Freeze the dataset: from now on it answers only what costs nothing."""
    said = _words(reason, "reason")
    _record(account, "freeze", by, {"reason": said}, lambda custody: _check_frozen(custody, False))


def unfreeze(account: Account, by: str) -> None:
    """End a freeze: everything is answered again."""
    _record(account, "unfreeze", by, {}, lambda custody: _check_frozen(custody, True))


def rotate(account: Account, body: dict[str, str], by: str) -> None:
    """Record which key signs from now on."""

    def check(custody: Custody) -> None:
        if custody.key not in ("", body["old"]):
            raise KeyFileError(
                f"the ledger says that key {custody.key[:8]}… signs now, not {body['old'][:8]}…; open it with that key"
            )

    _record(account, "rotate", by, body, check)


def collected(account: Account, number: int, analyst: str) -> Asked:
    """The question of an approved hold, with its terms."""
    custody = account.custody
    asked = {hold.number: hold for hold in custody.asked.values()}
    hold = asked.get(_number(number)) or hold_in(custody, number)
    if hold.analyst != analyst or not hold.approved:
        why = "somebody else's" if hold.analyst != analyst else "not approved yet"
        raise QuestionError(f"hold {number} is {why}; only its asker can ask it, once it is approved")
    return hold.asked


def hold_in(custody: Custody, number: int) -> Hold:
    """A hold that is not ended."""
    found = custody.holds.get(_number(number))
    if found is None:
        raise QuestionError(f"there is no hold {shown(number)}, or it has ended; `noiseless custody list` lists them")
    return found


def request_in(custody: Custody, number: int) -> Requested:
    """A request that is not decided."""
    found = custody.requests.get(_number(number))
    if found is None:
        raise QuestionError(
            f"there is no request {shown(number)}, or it is decided; `noiseless custody list` lists them"
        )
    return found


def shown_bits(bits: Number) -> str:
    """The bits of a request, as they were given."""
    return shown(bits).strip("'")


def _record(
    account: Account,
    kind: Decision,
    who: str,
    body: dict[str, Any] | Callable[[Custody], dict[str, Any]],
    check: Callable[[Custody], None] | None = None,
) -> Entry:
    name = analyst_name(who)

    def decided(state: State) -> tuple[Decision, str, dict[str, Any]]:
        if check is not None:
            check(state.custody)
        return kind, name, body(state.custody) if callable(body) else body

    entry = account.record(decided)
    assert entry is not None
    return entry


def _kind(custody: Custody, number: int) -> str:
    """Whether a number belongs to a hold or to a request."""
    if _number(number) in custody.requests:
        return "request"
    hold_in(custody, number)
    return "hold"


def _number(given: object) -> int:
    return -1 if (number := as_integer(given)) is None else number


def _factor(bits: Number) -> int:
    factor = answers_within(bits)
    if factor < 2:
        raise BudgetError(f"bits={shown_bits(bits)} is less than one; ask for one bit or more")
    return factor


def _words(text: object, name: str) -> str:
    if not isinstance(text, str) or not text.strip() or len(text) > MOST_WORDS:
        raise QuestionError(f"{name}= must be a text of 1 to {MOST_WORDS} characters; the ledger keeps it")
    return text.strip()


def _check_frozen(custody: Custody, wanted: bool) -> None:
    if custody.frozen is not wanted:
        raise QuestionError(f"the dataset is {'not frozen' if wanted else 'frozen already'}; nothing was changed")
