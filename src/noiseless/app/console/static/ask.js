// Helps while somebody types: the price and the certain error of the question, or why it is refused. Nothing is spent here.
import { editor } from "./editor.js";
import { keep, recall, sent } from "./page.js";

const WAIT = 400, LATER = 900;
const GONE = "The server does not answer. Your question is kept in this browser: try again in a moment.";
const ENDED = "Your session has ended. Your question is kept in this browser.";
let timer = 0, latest = 0;

const found = (id) => document.getElementById(id);
const dataset = () => found("ask").dataset.dataset;

function say(text, link) {
  const line = document.createElement("p");
  line.className = "refused";
  line.textContent = text;
  if (link) {
    const to = document.createElement("a");
    to.href = link;
    to.target = "_blank";
    to.textContent = "Sign in in another tab, then continue here";
    line.append(" ", to);
  }
  found("live").replaceChildren(line);
}

function saySignIn() {
  say(ENDED, "/console/sign-in");
}

async function piece(action) {
  const form = new FormData(found("ask"));
  form.set("action", action);
  return sent(`${found("ask").getAttribute("action")}/live`, form);
}

async function preview() {
  const number = ++latest;
  if (!found("sql").value.trim()) {
    found("live").replaceChildren();
    return;
  }
  try {
    const priced = await piece("preview");
    if (number !== latest) return;
    if (priced.status === 401) saySignIn();
    else found("live").replaceChildren(...priced.page.body.children);
    if (priced.status !== 200 || found("live").querySelector(".problem")) return;
    await new Promise((then) => setTimeout(then, LATER));
    if (number !== latest) return;
    const known = await piece("known");
    if (number === latest && known.page.querySelector(".known")) found("live").prepend(...known.page.body.children);
  } catch {
    if (number === latest) say(GONE);
  }
}

const DRAFTS = ["sql", "precision", "amount"];

function keepAll() {
  for (const name of DRAFTS) keep(`draft ${name} ${dataset()}`, found("sql").value && found(name).value);
}

function soon() {
  keepAll();
  latest += 1;
  clearTimeout(timer);
  timer = setTimeout(preview, WAIT);
}

function slid(slide, amount) {
  // From a thousandth to a thousand times what was typed, or 1.
  const base = Number(slide.dataset.base || amount.value || 1) || 1;
  slide.dataset.base = base;
  amount.value = Number((base * 10 ** ((slide.value - 50) / 16)).toPrecision(3)).toString();
  soon();
}

// The form is sent from here, so that what was typed is still there if no answer comes.
async function submitted(event) {
  const { submitter } = event;
  if (submitter?.hasAttribute("formaction")) return;
  event.preventDefault();
  const form = new FormData(event.target, submitter);
  clearTimeout(timer);
  latest += 1;
  found("main").setAttribute("aria-busy", "true");
  try {
    const { status, page } = await sent(event.target.getAttribute("action"), form);
    if (status === 401) saySignIn();
    else {
      found("main").replaceChildren(...page.getElementById("main").childNodes);
      start();
      // The focus stays where it was. What is asked once more comes before what was found.
      found("main").querySelector(`button[value="${form.get("action")}"]`)?.focus({ preventScroll: true });
      const shown = document.querySelector("#ask [role=alert]") ?? found("shown").firstElementChild;
      (form.get("action") === "ask" || form.get("action") === null) && shown?.scrollIntoView({ block: "nearest" });
    }
  } catch {
    say(GONE);
  }
  found("main").removeAttribute("aria-busy");
}

function start() {
  const form = found("ask"), sql = found("sql"), amount = found("amount"), precision = found("precision"), slide = found("slide");
  if (!form) return;
  if (!sql.value) for (const name of DRAFTS) found(name).value = recall(`draft ${name} ${dataset()}`) || found(name).value;
  keepAll();
  const basket = found("basket");
  if (!basket.value) basket.value = recall(`basket ${dataset()}`);
  editor(sql, JSON.parse(form.dataset.words));
  const shows = () => { slide.closest("label").hidden = precision.value !== "error"; };
  shows();
  precision.addEventListener("change", () => { shows(); soon(); });
  slide.addEventListener("input", () => slid(slide, amount));
  amount.addEventListener("input", () => { delete slide.dataset.base; slide.value = 50; soon(); });
  sql.addEventListener("input", soon);
  form.addEventListener("submit", submitted);
}

document.addEventListener("click", (event) => {
  const use = event.target.closest("[data-use]");
  if (!use || !found("sql")) return;
  event.preventDefault();
  found("sql").value = use.dataset.use;
  found("sql").focus();
  found("sql").dispatchEvent(new Event("input"));
});

start();
if (found("sql")?.value && !found("shown").children.length) preview();
