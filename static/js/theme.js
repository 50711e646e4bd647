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
    const lobby = /** @type {HTMLElement | null} */ (document.querySelector("[data-again]"));
    if (lobby) setTimeout(lookAgain, lobby.dataset.again ? 5_000 : 10_000, lobby);
    const table = document.querySelector("#table:not([data-live])");
    if (!table) return;
    root.classList.remove("js");
    if (table.closest("[data-waits]")) setTimeout(() => isSending() || location.reload(), 4_000);
  });
  // Nor does a lobby know of anything whose socket never opened. The address of who waits for an opponent leads to the
  // table as soon as there is one.
  const lookAgain = (/** @type {HTMLElement} */ lobby) => {
    if (lobby.hasAttribute("data-live") || isSending()) return;
    location.replace(lobby.dataset.again || location.href);
  };
  // What was just sent leads on by itself; to look again now would call its answer off.
  const isSending = () => root.hasAttribute("data-sending");
  addEventListener("submit", ({ defaultPrevented }) => root.toggleAttribute("data-sending", !defaultPrevented));
}
