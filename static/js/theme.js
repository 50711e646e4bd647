// @ts-check
// Runs in <head> before the first paint: says that scripts run, and picks the theme, so that nothing flashes.
{
  const root = document.documentElement;
  root.classList.add("js");
  if (!root.dataset.theme) {
    const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = isDark ? "dark" : "light";
  }
  // A table whose own script did not come is played by its list of moves, as without scripts.
  addEventListener("load", () => {
    if (document.querySelector("#table:not([data-live])")) root.classList.remove("js");
  });
}
