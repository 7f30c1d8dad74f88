// `noiseless serve --open` leaves a token behind the # of the address, which browsers do not send. It is put into the
// field, and taken out of the address and the history. Signing in still needs a click.
const token = new URLSearchParams(location.hash.slice(1)).get("token");
if (token) {
  history.replaceState(null, "", location.pathname);
  document.getElementById("token").value = token;
  document.querySelector("main button").focus();
}
