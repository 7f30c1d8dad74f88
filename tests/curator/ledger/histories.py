"""Random histories of a ledger, and all that its state says."""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import replace

import noiseless as nl
from noiseless.curator import asking
from noiseless.curator.ledger.journal import Checkpoint
from noiseless.curator.ledger.state import State
from noiseless.curator.ledger.verify import verify_ledger
from noiseless.curator.question.price import Prices

SQL = "SELECT COUNT(*) FROM people WHERE age BETWEEN 5 AND {}"
PLAIN = {"age": nl.Integer(0, 100), "region": nl.Public("north", "south", other="else")}
WIDER = {**PLAIN, "height": nl.Integer(100, 250)}
SPLIT = {**WIDER, "sex": nl.Public("f", "m"), "region": nl.Public("west", "north", "south", other="else")}
SCHEMAS = [nl.Schema(each) for each in (PLAIN, WIDER, SPLIT)]
QUESTIONS = [
    ("SELECT COUNT(*) FROM people WHERE age < {}", {}),
    ("SELECT region, AVG(age) FROM people GROUP BY region", {"bits": 2}),
    ("SELECT region, AVG(age) FROM people GROUP BY region", {"bits": 3}),
    ("SELECT SUM(age) FROM people WHERE region = 'north'", {"error": 100}),
    ("SELECT SUM(age) FROM people", {"error": 400}),
    ("SELECT SUM(age) FROM people WHERE region = 'south'", {"bits": 2}),
    ("SELECT AVG(age) FROM people WHERE age >= {}", {"error": 20}),
    ("SELECT MEDIAN(age) FROM people", {"stable": True, "error": 10}),
    ("SELECT COUNT(*) FROM people WHERE region = 'else' AND age > {}", {}),
]


def facts_of(state: State) -> dict[str, object]:
    """All that a state says, without what it only remembers to be fast."""
    hidden = {"_ground", "_facts", "_sequence", "last", "charged_cells", "mark", "columns"}
    found = {name: value for name, value in vars(state).items() if name not in hidden}
    mark = state.mark and replace(state.mark)
    waiting = {key: waits for key, each in state._waiting.items() if (waits := [n for n in each if n in state.open])}
    last = state.last and (state.last.number, state.last.hash)
    found |= {"columns": vars(state.columns), "custody": vars(state.custody)}
    return found | {"sequence": state.sequence, "spent": state.spent, "mark": mark, "_waiting": waiting, "last": last}


def folded(curator) -> State:
    """The state from the beginning."""
    state = State(Prices(curator._dataset))
    for entry in curator.entries():
        state.fold(entry)
    return state


def orders(state: State) -> list[list[object]]:
    """What later checkpoints write in this order."""
    return [list(each) for each in (state.first, state.paid, state.implied_facts, state.released, state.settled)]


def kept(curator) -> list[Checkpoint]:
    return curator._account._journal.checkpoints()


def history(path, seed: int, monkeypatch, decisions: bool = False) -> None:
    """Questions, refinements, batches, copies, deaths between charge and answer, and changes of schema and budget."""
    generator, schemas, budget = random.Random(seed), SCHEMAS[1:], 400
    if decisions:
        path.write_text(f"{path.read_text()}\n[policy]\nhold_above = 4\n")
    for _ in range(8):
        with nl.Curator.open(path) as curator:
            assert facts_of(curator._account._read()) == facts_of(folded(curator))
            assert orders(curator._account._state) == orders(folded(curator))
            for _ in range(generator.randrange(1, 6)):
                if decisions and (curator.frozen or generator.random() < 0.5):
                    decide(curator, generator)
                else:
                    act(curator, generator, monkeypatch)
            assert facts_of(curator._account._read()) == facts_of(folded(curator))
            verify_ledger(curator.entries(), kept(curator))
            left = curator.sequence
        with nl.Curator.open(path) as curator:
            assert len(curator._account._state.open) == 0  # opening computes what was charged
            assert curator.sequence.spent() <= left.spent()
        declaration = nl.Declaration.parse(path.read_text())
        if generator.random() < 0.4 and schemas:
            path.write_text(replace(declaration, schema=schemas.pop(0)).write())
        elif generator.random() < 0.2:
            budget -= 10
            path.write_text(replace(declaration, budget=budget).write())


def act(curator, generator, monkeypatch) -> None:
    analyst = generator.choice(["ada", "bob", "eve"])
    text, options = generator.choice(QUESTIONS)
    text = text.format(generator.randrange(20, 80))
    choice = generator.random()
    with suppress(nl.BudgetError, nl.QuestionError, nl.HeldError):
        if choice < 0.15:
            others = [QUESTIONS[0][0].format(generator.randrange(20, 80)) for _ in range(3)]
            curator.batch(others, analyst=analyst)
        elif choice < 0.3:
            answer = curator.ask("SELECT SUM(age) FROM people WHERE region = 'south'", bits=2, analyst=analyst)
            curator.refine(answer, error=generator.choice([2, 5, 9]), analyst=analyst)
        elif choice < 0.5:
            with monkeypatch.context() as patch, suppress(ZeroDivisionError):
                patch.setattr(asking, "execute", lambda *_: 1 / 0)
                curator.ask(text, analyst=analyst, **options)
        else:
            curator.ask(text, analyst=analyst, **options)


def decide(curator, generator) -> None:
    """Something that waits for the custodian, or what the custodian decides."""
    custody, analyst = curator._account.custody, generator.choice(["ada", "bob", "eve"])
    number, choice = generator.choice([*custody.holds, *custody.requests] or [99]), generator.randrange(7)
    with suppress(nl.QuestionError, nl.HeldError):
        if curator.frozen:
            curator.unfreeze()
        elif choice == 0:
            curator.request(generator.randrange(1, 3), "more", "budget", analyst)
        elif choice == 1:
            curator.refuse(number, "no")
        elif choice == 2:
            curator.grant(number)
        elif choice == 3:
            curator.freeze("for a while")
        elif choice == 4 and custody.holds:
            curator.approve(number)
            curator.collect(number, analyst=custody.holds[number].analyst)
        else:
            curator.ask(
                "SELECT region, AVG(age) FROM people GROUP BY region", bits=5 + generator.randrange(3), analyst=analyst
            )
