// @ts-check
// What every page needs: the theme switch and menus that close.

const YEAR_S = 31_536_000;

document.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target);
  if (target.closest('[data-action="theme"]')) switchTheme();
  for (const menu of document.querySelectorAll("details[data-menu][open]")) {
    if (!menu.contains(target)) menu.removeAttribute("open");
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const menu = document.querySelector("details[data-menu][open]");
  if (!menu) return;
  menu.removeAttribute("open");
  /** @type {HTMLElement | null} */ (menu.querySelector("summary"))?.focus();
});

function switchTheme() {
  const root = document.documentElement;
  const theme = root.dataset.theme === "dark" ? "light" : "dark";
  root.dataset.theme = theme;
  document.cookie = `theme=${theme};path=/;max-age=${YEAR_S};samesite=lax`;
}

// For a visit without a connection. After everything else: the first page owes nothing to it.
addEventListener("load", () => {
  navigator.serviceWorker?.register("/sw.js", { updateViaCache: "none" }).catch(() => {});
});
