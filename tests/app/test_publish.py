"""noiseless publish: shown first, published with --yes."""

from __future__ import annotations

import json

import pytest
from tests.app import running

WORKLOAD = """
-- weight 2, error 5
SELECT AVG(age) FROM people;
SELECT COUNT(*) FROM people WHERE smoker = 'yes' AND age >= 40;
"""


def run(*words):
    done = running.run(*words)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


@pytest.fixture
def schema(tmp_path):
    rows = "".join(f"{20 + k % 60},{('no', 'yes')[k % 2]}\n" for k in range(90))
    (tmp_path / "people.csv").write_text(f"age,smoker\n{rows}")
    (tmp_path / "w.sql").write_text(WORKLOAD)
    file = tmp_path / "people.toml"
    file.write_text(
        'source = "people.csv"\nbudget = 6\n[columns.age]\nkind = "integer"\nlow = 20\nhigh = 79\n'
        '[columns.smoker]\nkind = "category"\nvalues = ["no", "yes"]\n'
    )
    return file


def test_a_design_is_shown_and_then_published(schema, tmp_path):
    shown = run("publish", schema, "--for", tmp_path / "w.sql", "--bits", 4)
    assert "add --yes" in shown
    assert "one by one" in shown
    made = json.loads(run("publish", schema, "--for", tmp_path / "w.sql", "--bits", 4, "--yes", "--json"))
    assert made["published"]["cost"] == made["design"]["cost"] <= 4
    assert "it follows from question 1" in run("deduce", schema, "SELECT AVG(age) FROM people")


def test_a_copy_is_written(schema, tmp_path):
    out = tmp_path / "o.parquet"
    output = run("publish", schema, "--for", tmp_path / "w.sql", "--bits", 4, "-o", out, "--yes")
    assert "published the base table" in output
    assert out.exists()
