// Helps while one types: the price and the certain error of the question, or why it is refused. Nothing is spent here.
const form = document.getElementById("ask");
const sql = document.getElementById("sql");
const precision = document.getElementById("precision");
const amount = document.getElementById("amount");
const slide = document.getElementById("slide");
const live = document.getElementById("live");
const WAIT = 400;
const KEPT = `noiseless-draft-${form.dataset.dataset}`;
const WORDS = ["SELECT", "FROM", "WHERE", "GROUP BY", "HAVING", "ORDER BY", "LIMIT", "COUNT(*)", "AVG()", "SUM()", "MEDIAN()",
  "MIN()", "MAX()", "STDDEV_POP()", "CASE WHEN", "BETWEEN", "AND", "OR", "NOT", "IS NULL"];

let timer = 0;
let latest = 0;

function asked() {
  const body = { sql: sql.value.trim() };
  const given = amount.value.trim();
  if (given && precision.value !== "exact") body[precision.value] = given;
  return body;
}

function say(text, refused = false) {
  const line = document.createElement("p");
  line.textContent = text;
  if (refused) line.className = "refused";
  live.replaceChildren(line);
}

async function preview() {
  const body = asked();
  if (!body.sql) {
    live.replaceChildren();
    return;
  }
  const number = ++latest;
  try {
    const response = await fetch(`/datasets/${encodeURIComponent(form.dataset.dataset)}/preview`, {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body),
    });
    const told = await response.json();
    if (number !== latest) return;
    if (response.status === 401) say("Your session has ended. Your question is kept in this browser: sign in in another tab, then go on.", true);
    else if (!response.ok) say(told.detail, true);
    else say(priced(told), !told.affordable);
  } catch {
    if (number === latest) say("The server does not answer. Your question is kept in this browser.", true);
  }
}

function priced(told) {
  const loud = told.must_be_left > told.cost ? `, at most ${shown(told.must_be_left)} bits` : "";
  const errors = told.rows.flatMap((row) => Object.values(row.errors)).filter((each) => each !== null).map(number);
  const error = errors.length ? `; certain to ± ${shown(Math.max(...errors))}` : "";
  const left = told.affordable ? `; ${shown(told.remaining)} bits left after it` : "; the budget does not allow it";
  return `${told.cost ? `${shown(told.cost)} bits${loud}` : "free"}${error}${left}`;
}

const number = (text) => text.split("/").map(Number).reduce((top, bottom) => top / bottom);
const shown = (value) => Number(value.toPrecision(4)).toString();

function soon() {
  try {
    localStorage.setItem(KEPT, sql.value);
  } catch { /* the browser keeps nothing */ }
  clearTimeout(timer);
  timer = setTimeout(preview, WAIT);
}

function slid() {
  // From a thousandth to a thousand times what was typed, or 1.
  const base = Number(slide.dataset.base || amount.value || 1) || 1;
  slide.dataset.base = base;
  amount.value = shown(base * 10 ** ((slide.value - 50) / 16));
  soon();
}

function choices() {
  const list = document.createElement("ul");
  list.className = "choices";
  list.hidden = true;
  sql.after(list);
  const all = [...form.dataset.columns.split("\n").map((name) => (/^[a-z_]\w*$/i.test(name) ? name : `"${name}"`)), ...WORDS];
  const begun = () => /["\w]*$/.exec(sql.value.slice(0, sql.selectionStart))[0];
  function choose(word) {
    const end = sql.selectionStart, start = end - begun().length;
    sql.setRangeText(word, start, end, "end");
    list.hidden = true;
    sql.focus();
    soon();
  }
  sql.addEventListener("input", () => {
    const start = begun().toLowerCase();
    const found = start.length < 1 ? [] : all.filter((word) => word.toLowerCase().startsWith(start) && word.toLowerCase() !== start).slice(0, 8);
    list.replaceChildren(...found.map((word) => {
      const item = document.createElement("li"), button = document.createElement("button");
      button.type = "button";
      button.className = "plain";
      button.textContent = word;
      button.addEventListener("click", () => choose(word));
      item.append(button);
      return item;
    }));
    list.hidden = !found.length;
  });
  sql.addEventListener("keydown", (event) => {
    if (event.key === "Escape") list.hidden = true;
  });
}

if (!sql.value) {
  try {
    sql.value = localStorage.getItem(KEPT) || "";
  } catch { /* nothing was kept */ }
}
choices();
slide.closest("label").hidden = precision.value !== "error";
precision.addEventListener("change", () => { slide.closest("label").hidden = precision.value !== "error"; soon(); });
slide.addEventListener("input", slid);
for (const each of [sql, amount]) each.addEventListener("input", soon);
if (sql.value) preview();
