// Highlights and completes SQL in a plain text field. The field stays what it is: without this module it works the same.
const PARTS = /(--[^\n]*|\/\*[\s\S]*?\*\/)|('(?:[^']|'')*'?)|("(?:[^"]|"")*"?)|(\d+(?:\.\d+)?)|([A-Za-z_]\w*)|([\s\S])/g;
const BEGUN = /^(?:[^'"]|'[^']*'|"[^"]*")*?('[^']*|"[^"]*|\b[A-Za-z_]\w*)$/;
const MOST = 8;

export function editor(field, words) {
  const kinds = new Map(words.map((each) => [each.word.toLowerCase(), each.of]));
  for (const each of words) if (each.of === "SQL") for (const part of each.word.split(" ")) kinds.set(part.toLowerCase(), "SQL");
  const behind = document.createElement("pre");
  behind.setAttribute("aria-hidden", "true");
  field.before(behind);
  field.parentElement.classList.add("on");

  function kind(comment, text, name, number, word) {
    if (comment) return "comment";
    if (text) return "text";
    if (number) return "number";
    const of = kinds.get((name || word || "").toLowerCase());
    return { SQL: "keyword", column: "column", statistic: "function", function: "function" }[of];
  }

  function highlight() {
    const parts = [];
    for (const [whole, ...groups] of field.value.matchAll(PARTS)) {
      const of = kind(...groups);
      if (!of) parts.push(whole);
      else {
        const part = document.createElement("span");
        part.className = of;
        part.textContent = whole;
        parts.push(part);
      }
    }
    behind.replaceChildren(...parts, "\n");
    behind.scrollTop = field.scrollTop;
  }

  field.addEventListener("input", highlight);
  field.addEventListener("scroll", () => { behind.scrollTop = field.scrollTop; });
  completion(field, words, highlight);
  highlight();
  return highlight;
}

function completion(field, words, changed) {
  const list = document.createElement("ul"), said = document.createElement("p");
  list.className = "choices";
  list.id = "choices";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "suggestions");
  list.hidden = true;
  said.className = "sr";
  said.setAttribute("role", "status");
  field.parentElement.after(list, said);
  for (const [name, value] of [["aria-autocomplete", "list"], ["aria-controls", "choices"]]) field.setAttribute(name, value);
  let active = -1;

  const begun = () => BEGUN.exec(field.value.slice(0, field.selectionStart))?.[1] ?? "";

  function close() {
    list.hidden = true;
    active = -1;
    field.removeAttribute("aria-activedescendant");
  }

  function choose(word) {
    const end = field.selectionStart, start = end - begun().length;
    field.setRangeText(word, start, end, "end");
    close();
    field.focus();
    field.dispatchEvent(new Event("input"));
    close();
    changed();
  }

  function mark(place) {
    const items = [...list.children];
    active = (place + items.length) % items.length;
    items.forEach((item, at) => item.setAttribute("aria-selected", String(at === active)));
    field.setAttribute("aria-activedescendant", items[active].id);
  }

  function offer(all) {
    const start = begun().toLowerCase();
    const fits = ({ word }) => word.toLowerCase().startsWith(start) || word.toLowerCase().startsWith(`"${start}`);
    const found = !start && !all ? [] : words.filter((each) => fits(each) && each.word.toLowerCase() !== start).slice(0, MOST);
    list.replaceChildren(...found.map(({ word, of }, at) => {
      const item = document.createElement("li"), hint = document.createElement("small");
      item.id = `choice-${at}`;
      item.setAttribute("role", "option");
      item.setAttribute("aria-selected", "false");
      item.dataset.word = word;
      hint.textContent = ` ${of}`;
      item.append(word, hint);
      return item;
    }));
    close();
    list.hidden = !found.length;
    said.textContent = found.length ? `${found.length} suggestions; choose with the arrow keys` : "";
  }

  // pointerdown comes before the field loses the focus
  list.addEventListener("pointerdown", (event) => {
    const item = event.target.closest("li");
    if (!item) return;
    event.preventDefault();
    choose(item.dataset.word);
  });
  field.addEventListener("input", () => offer(false));
  field.addEventListener("blur", close);
  field.addEventListener("keydown", (event) => {
    if (event.key === " " && event.ctrlKey) {
      event.preventDefault();
      offer(true);
    } else if (list.hidden) return;
    else if (event.key === "Escape") close();
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      mark(active + (event.key === "ArrowDown" ? 1 : active < 0 ? 0 : -1));
    } else if ((event.key === "Enter" || event.key === "Tab") && active >= 0) {
      event.preventDefault();
      choose(list.children[active].dataset.word);
    }
  });
}
