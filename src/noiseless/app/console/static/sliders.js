// Shows the value of every slider while it moves. Nothing is sent before a button is pressed.
for (const slider of document.querySelectorAll("input[type=range]")) {
  const shown = document.createElement("output");
  const say = () => { shown.textContent = slider.value; };
  slider.after(shown);
  slider.addEventListener("input", say);
  say();
}
