// @ts-check
// Runs in <head> before the first paint: says that scripts run, and picks the theme, so that nothing flashes.
{
  const root = document.documentElement;
  root.classList.add("js");
  if (!root.dataset.theme) {
    const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = isDark ? "dark" : "light";
  }
  // A table whose own script did not come, or broke, is played by its list of moves and looks again by itself, as
  // without scripts. Modules have run when this event comes, or never will.
  addEventListener("load", () => {
    const table = document.querySelector("#table:not([data-live])");
    if (!table) return;
    root.classList.remove("js");
    if (table.closest("[data-waits]")) setTimeout(() => location.reload(), 4_000);
  });
}
