// On every page. Drafts of questions stay in this browser for their author only, and end when the author signs out.
const caller = document.body.dataset.caller;
export const kept = (name) => `noiseless ${caller} ${name}`;

export function keep(name, text) {
  try {
    if (text) localStorage.setItem(kept(name), text);
    else localStorage.removeItem(kept(name));
  } catch { /* the browser keeps nothing */ }
}

export function recall(name) {
  try {
    return localStorage.getItem(kept(name)) || "";
  } catch {
    return "";
  }
}

// Sends a form, and returns the server's answer as a part of a page. Throws if the server does not answer.
export async function sent(path, form) {
  const response = await fetch(path, { method: "POST", body: new URLSearchParams(form), redirect: "manual" });
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  return { status: response.status, page };
}

// Parts that are wider than the window can be reached and scrolled with the keyboard.
function reach() {
  for (const each of document.querySelectorAll(".wide, pre")) {
    if (each.closest(".editor") || each.scrollWidth <= each.clientWidth) each.removeAttribute("tabindex");
    else each.tabIndex = 0;
  }
}
reach();
addEventListener("resize", reach);
new MutationObserver(reach).observe(document.body, { childList: true, subtree: true });

document.querySelector("form.who")?.addEventListener("submit", () => {
  for (const name of Object.keys(localStorage)) if (name.startsWith("noiseless ")) localStorage.removeItem(name);
});
