"""Views with one row for each person: their answers are found in their own ledger."""

from __future__ import annotations

import re

import pytest
from tests.app.console.pages import console
from tests.app.service.test_views import MEAN, write

TABLE = "SELECT AVG(km) FROM trips"
AT = "/console/d/trips"


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    with console(write(tmp_path_factory.mktemp("served")), rate=1_000_000) as found:
        yield found


def ask(page, sql: str, bits: str) -> str:
    form = {"sql": sql, "action": "ask", "precision": "bits", "amount": bits}
    text = page.post(AT, form).text
    if confirmed := re.search(r'name="confirmed" value="([^"]+)"', text):
        text = page.post(AT, form | {"confirmed": confirmed[1]}).text
    return text


def test_answers_about_a_view_lead_to_its_ledger(page):
    ask(page, TABLE, "1")
    answered = ask(page, MEAN, "1")
    links = re.findall(r'href="(/console/d/trips/answers/[^"]+)"', answered)
    assert f"{AT}/answers/1?view=homes" in links
    opened = page.get(f"{AT}/answers/1?view=homes").text
    assert MEAN in opened
    assert TABLE not in opened
    assert "Agree to publish it" not in opened
    assert TABLE in page.get(f"{AT}/answers/1").text
    assert page.get(f"{AT}/answers/1/csv?view=homes").text.startswith('"AVG(total)"')
    assert f'action="{AT}/answers/1?view=homes"' in opened
    narrowed = page.post(f"{AT}/answers/1?view=homes", {"error": "1", "most": "9"}).text
    assert f'Narrowed from <a href="{AT}/answers/1?view=homes">' in narrowed


def test_each_ledger_has_a_page(page):
    ask(page, TABLE, "1")
    ask(page, MEAN, "1")
    table, view = page.get(f"{AT}/ledger").text, page.get(f"{AT}/ledger?view=homes").text
    assert f'href="{AT}/ledger?view=homes"' in table
    assert (TABLE in table, MEAN in table) == (True, False)
    assert (TABLE in view, MEAN in view) == (False, True)
    assert f"{AT}/answers/1?view=homes" in view
    assert page.get(f"{AT}/ledger?view=none").status_code == 404


def test_a_view_is_described_and_its_words_are_completed(page):
    assert "View <code>homes</code>" in page.get(f"{AT}/about").text
    empty = page.get(AT).text
    assert "view <code>homes</code>" in empty
    assert "&#34;word&#34;: &#34;total&#34;" in empty
    assert f"{AT}/answers/1?view=homes" in empty  # among the last questions


def test_prices_know_the_quota(page):
    """A preview says that the quota of the analyst does not allow what the budget would."""
    form = {"name": "the analyst", "quota": "3"}
    page.post(f"{AT}/quotas", form, "custodian")
    live = page.post(f"{AT}/live", {"sql": "SELECT MAX(km) FROM trips", "precision": "bits", "amount": "6"}).text
    assert "does not allow it" in live
