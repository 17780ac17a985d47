// A page that nobody looks at asks for nothing; it catches up as soon as it is seen again.
document.addEventListener("htmx:config:request", (event) => {
  if (document.hidden && event.detail.ctx.sourceEvent?.type === "every") event.preventDefault();
});
// Fields that choose what is shown are sent when they change; the button is for browsers without scripts.
document.addEventListener("change", (event) => {
  const form = event.target.closest("form[data-auto]");
  if (form) form.requestSubmit();
});
