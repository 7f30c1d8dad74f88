"""What every page must keep, so that everybody can use it: our own rules, and those of axe-core if it is installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

AXE = Path(__file__).parents[3] / ".venv/axe/node_modules/axe-core/axe.min.js"
"""Where `make test` puts it, if there is npm. Without it, our own rules remain."""
STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RULES = """() => {
  const wrong = [];
  const say = (rule, e) => wrong.push(`${rule}: ${e.outerHTML.slice(0, 100)}`);
  const all = (what) => [...document.querySelectorAll(what)].filter((e) => e.checkVisibility());
  const linear = (v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const light = (text) => { const [r, g, b] = text.match(/[\\d.]+/g).map((v) => linear(v / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const paper = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
    if (!/, 0\\)$|transparent/.test(c)) return c; } return "rgb(255, 255, 255)"; };
  const has = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
  const named = (e) => e.getAttribute("aria-label") || e.textContent.trim() || (e.labels && e.labels.length);
  for (const e of all("a, button, input:not([type=hidden]), select, textarea, svg[role=img]"))
    if (!named(e)) say("it has no name", e);
  for (const e of all("main *, header *, footer *")) if (has(e)) {
    const [one, two] = [light(getComputedStyle(e).color), light(paper(e))].sort((a, b) => b - a);
    if ((one + 0.05) / (two + 0.05) < 4.5) say("it is too faint to read", e);
  }
  if (document.documentElement.scrollWidth > innerWidth) say("it is wider than the window", document.body);
  if (all("h1").length !== 1) say("it needs one h1", document.body);
  let level = 1;
  for (const e of all("main h1, main h2, main h3, main h4")) {
    if (Number(e.tagName[1]) > level + 1) say("a level of headings is left out", e);
    level = Number(e.tagName[1]);
  }
  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
  if (new Set(ids).size < ids.length) say("an id is used twice", document.body);
  if (!document.documentElement.lang || !document.title) say("it needs a language and a title", document.body);
  for (const what of ["header", "main", "footer"])
    if (all(what).length !== 1) say(`it needs one ${what}`, document.body);
  for (const e of all("main a, main button, main input, main select, main summary")) {
    const { width, height } = e.getBoundingClientRect();
    if (height < 16 || width < 8) say("it is too small to touch", e);
  }
  for (const e of all("[tabindex]")) if (e.tabIndex > 0) say("it changes the order of the keyboard", e);
  return wrong;
}"""
CHECKED = """(standards) => axe.run(document, { runOnly: standards, resultTypes: ["violations"] })
  .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map((n) =>
    `axe ${id}: ${n.html.slice(0, 120)}`)))"""


def wrong_with(page: Any) -> list[str]:
    """The faults that keep people from using a page."""
    found: list[str] = page.evaluate(RULES)
    if AXE.exists():
        page.evaluate(AXE.read_text(encoding="utf-8"))
        found += page.evaluate(CHECKED, STANDARDS)
    return found
