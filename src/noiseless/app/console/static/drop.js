// A certificate that is dropped on the page is read here, in the browser, into the field.
const form = document.getElementById("drop");
const KEPT = 200000;
const field = document.getElementById("certificate");
form.addEventListener("dragover", (event) => event.preventDefault());
form.addEventListener("drop", async (event) => {
  const [file] = event.dataTransfer.files;
  if (!file) return;
  event.preventDefault();
  if (file.size <= KEPT) field.value = await file.text();
  else {
    // A whole ledger is too long for a field: it is sent as a file.
    field.value = "";
    document.getElementById("file").files = event.dataTransfer.files;
  }
});
