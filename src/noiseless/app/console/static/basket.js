// The basket stays in this browser until its author signs out, so that it is still there on the next page.
import { keep, recall } from "./page.js";

const form = document.getElementById("together");
const field = document.getElementById("basket");
const name = `basket ${form.dataset.dataset}`;
if (!field.value) field.value = recall(name);
keep(name, field.value);
field.addEventListener("input", () => keep(name, field.value));
