// A page that nobody looks at asks for nothing; it catches up as soon as it is seen again.
document.addEventListener("htmx:config:request", (event) => {
  if (document.hidden && event.detail.ctx.sourceEvent?.type === "every") event.preventDefault();
});
// What a reader has unfolded stays so when this part of the page is shown anew by itself.
const unfolded = new Set();
document.addEventListener("click", (event) => {
  const summary = event.target.closest("[data-unfolded] summary");
  if (summary) unfolded[summary.parentElement.open ? "delete" : "add"](summary.textContent);
});
document.addEventListener("htmx:after:swap", () => {
  for (const summary of document.querySelectorAll("[data-unfolded] summary"))
    if (unfolded.has(summary.textContent)) summary.parentElement.open = true;
});
// Fields that choose what is shown are sent when they change; the button is for browsers without scripts.
document.addEventListener("change", (event) => {
  const form = event.target.closest("form[data-auto]");
  if (form) form.requestSubmit();
});
// Pages are labelled by single keys, as long as the frame that asks has the focus: elsewhere a key is only a key.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const asked = event.target.closest("[data-keys]");
  const button = asked?.querySelector(`button[data-key="${CSS.escape(event.key.toLowerCase())}"]:not(:disabled)`);
  if (!button) return;
  event.preventDefault();
  button.click();
});
// It has the focus when it is opened, and again after each answer.
const ask = () => {
  const asked = document.querySelector("[data-keys]");
  if (asked && !asked.contains(document.activeElement)) asked.focus();
};
document.addEventListener("DOMContentLoaded", ask);
document.addEventListener("htmx:after:swap", ask);
// A form that is refused as a whole (the dashboard was started again, say) shows the page as it is, not an empty place.
document.addEventListener("htmx:before:response", (event) => {
  const { sourceElement, response } = event.detail.ctx;
  if (!sourceElement.matches("form") || response.status < 400) return;
  event.preventDefault();
  location.reload();
});
