// A certificate that is dropped on the page is read here, in the browser, into the field.
const form = document.getElementById("drop");
const field = document.getElementById("certificate");
form.addEventListener("dragover", (event) => event.preventDefault());
form.addEventListener("drop", async (event) => {
  const [file] = event.dataTransfer.files;
  if (!file) return;
  event.preventDefault();
  field.value = await file.text();
});
