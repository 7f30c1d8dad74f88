"""What requests say and responses hold. Exact numbers are texts, so that no reader rounds them."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictFloat, StrictInt

Number = StrictInt | StrictFloat | str
Amount = Number | dict[str, Number]
Sql = Field(min_length=1, max_length=100_000, description="a question in SQL", examples=["SELECT AVG(age) FROM people"])
Dialect = Literal["duckdb", "postgres", "spark"]
BITS = Field(None, description="what the question may cost by itself, in bits; or by the names of its numbers")
ERROR = Field(None, description="the largest error you accept, half the width of an interval; or by name")
MAX_BITS = Field(None, description="refuse the question if its dearest answer would be charged more, in bits")


class Given(BaseModel):
    """A request. Fields that are not known are refused."""

    model_config = ConfigDict(extra="forbid")


class Terms(Given):
    """How precise, and in which SQL."""

    bits: Amount | None = BITS
    error: Amount | None = ERROR
    stable: bool = Field(
        False, description="give every number as finely as possible without any one person's data deciding it"
    )
    dialect: Dialect = "duckdb"
    advice: bool = Field(False, description="also say what the last questions would have cost together")

    def arguments(self) -> dict[str, Any]:
        """The arguments of the curator's methods."""
        return self.model_dump(exclude={"sql", "questions", "advice"})


class ToPreview(Terms):
    """A question to preview."""

    sql: str = Sql


class ToDeduce(Given):
    """A question whose answer may follow from earlier answers."""

    sql: str = Sql
    dialect: Dialect = "duckdb"


class ToAsk(ToPreview):
    """A question to answer."""

    max_bits: Number | None = MAX_BITS


class ToPreviewTogether(Terms):
    """Questions to preview, one by one and together."""

    questions: list[str] = Field(min_length=1, max_length=1000)


class ToAskTogether(ToPreviewTogether):
    """Questions that are counted together."""

    max_bits: Number | None = MAX_BITS


class ToRefine(Given):
    """An earlier question, and the smaller error."""

    entry: int = Field(ge=1, description="the number of the question in the ledger")
    place: int = Field(0, ge=0, description="which question of a batch")
    error: Amount
    max_bits: Number | None = MAX_BITS


class Priced(BaseModel):
    """The fields that previews and answers have in common."""

    question: str
    count: str = Field(description="the most answers that one person's data can cause, a whole number")
    bits: float = Field(description="the count in bits, rounded up")
    factor: str = Field(description="by how much the account grows; a whole number or a fraction")
    cost: float = Field(description="the factor in bits, rounded up")
    remaining: float = Field(description="the bits left for everybody, rounded down")


class PreviewRow(BaseModel):
    """One row of a preview: its keys, and the error of each number; null if it depends on private data."""

    keys: dict[str, Any]
    errors: dict[str, str | None]


class Preview(Priced):
    """What a question would cost and how certain its answer would be."""

    dearest: str = Field(description="the factor of the dearest outcome, which must be left")
    must_be_left: float = Field(description="the dearest outcome in bits, rounded up")
    chance: str | None = Field(description="the chance of a dearer outcome, if the numbers may lie anywhere")
    steps: list[str]
    shares: list[str]
    advice: str
    computed: list[str]
    affordable: bool
    rule: str = Field(description="how the count was found")
    rows: list[PreviewRow]


class Certificate(BaseModel):
    """Everything that determines the count, the public key and the signature; both are empty without a key."""

    content: dict[str, Any]
    key: str
    signature: str


class Answer(Priced):
    """A true answer: every number lies in its interval."""

    entry: int = Field(description="the number of the question in the ledger; 0 if nothing had to be asked")
    outcome: Literal["quiet", "loud"] | None
    coarser: int = Field(description="how many numbers came at a coarser stable level than asked")
    advice: str
    computed: list[str]
    before: list[Answer] = Field(description="the answers of subqueries, which were asked first")
    facts: list[int] = Field(description="the questions that it follows from, or that made its intervals narrower")
    rows: list[dict[str, Any]] = Field(description="by label: keys, or numbers with value, lower and upper")
    certificate: Certificate | None = Field(description="null if its proof would show questions of other analysts")


class Answers(BaseModel):
    """The answers of a batch, which are counted and charged together."""

    count: str
    factor: str
    outcome: Literal["quiet", "loud"] | None
    answers: list[Answer]


class Way(BaseModel):
    """One way to ask several questions, and its price."""

    name: str
    count: str
    factor: str
    bits: float
    dearest: str
    must_be_left: float
    chance: str | None
    affordable: bool
    error: str | None
    gives_up: str
    question: str | None


class Ways(BaseModel):
    """What several questions would cost one by one, as one batch, and as a cross table."""

    questions: list[str]
    remaining: float
    cheapest: str
    ways: list[Way]
    no_cross_table: str


class Dataset(BaseModel):
    """A dataset: its name in questions, and what is left of its budget."""

    name: str
    id: str = Field(description="the random id of the snapshot")
    rows: int
    remaining: float
    views: list[str]


class Schema(BaseModel):
    """The declared columns, as the schema file says them."""

    toml: str
    columns: dict[str, dict[str, Any]]
    unit: str | None
    rows: int = Field(description="the most rows of a person")
    order_by: str | None


class Left(BaseModel):
    """The bits spent and left of a public group or an analyst."""

    name: str
    spent: float
    left: float


class Status(BaseModel):
    """What is left of the budget of every public group, the most charged first, and of quotas."""

    dataset: str
    rows: int
    budget: float
    questions: int
    remaining: float
    groups: list[Left]
    quotas: list[Left]
    held: int = Field(description="how many questions wait for the custodian, or were approved")
    frozen: bool = Field(description="whether only what costs nothing is answered")


class Asked(BaseModel):
    """A question in the ledger. Its texts are null if they are another analyst's."""

    number: int
    entry: int = Field(description="the number of its first entry")
    kind: str
    time: str
    analyst: str
    questions: list[str] | None
    factor: str
    cost: float
    hash: str


class Page(BaseModel):
    """Questions of the ledger, the latest first."""

    total: int
    questions: list[Asked]
    next_before: int | None = Field(description="give it as before= to see the next page; null on the last one")


class Verified(BaseModel):
    """What was verified about a certificate."""

    count: str
    whole: bool
    signed: bool
    signed_by: str
    trusted: bool


class ToVerify(Given):
    """A certificate, and the key to trust."""

    certificate: Certificate
    key: str | None = Field(None, description="the custodian's public key, 64 hexadecimal digits")
