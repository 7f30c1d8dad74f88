// Reloads the state every two seconds until the work ends. Only changes are replaced, so that each is read out once.
const WAIT = 2000;

async function look() {
  const state = document.getElementById("state");
  try {
    const response = await fetch(location.href);
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const now = page.getElementById("state");
    if (!now || !page.querySelector("script[src$='job.js']")) {
      document.getElementById("main").replaceChildren(...page.getElementById("main").childNodes);
      return;
    }
    if (now.textContent !== state.textContent) state.textContent = now.textContent;
  } catch {
    state.textContent = "The server does not answer. The work continues, and this page tries again.";
  }
  setTimeout(look, WAIT);
}
setTimeout(look, WAIT);
