// @ts-check
// What every page needs: the theme switch and menus that close. Tables that are open beside it take on what is chosen
// (chosen.js).

import { noteSaved } from "./saved.js";

const YEAR_S = 31_536_000;
const SENT = "sent-settings";
let saved = Promise.resolve();

document.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target);
  const button = /** @type {HTMLElement | null} */ (target.closest('[data-action="theme"]'));
  if (button) switchTheme(button.dataset);
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

/** @param {DOMStringMap} button Where an account keeps it, and the token for that; without them it is a visitor's. */
function switchTheme({ save, csrf }) {
  const root = document.documentElement;
  const theme = root.dataset.theme === "dark" ? "light" : "dark";
  root.dataset.theme = theme;
  document.cookie = `theme=${theme};path=/;max-age=${YEAR_S};samesite=lax`;
  if (!save) return noteSaved();
  const request = { method: "POST", keepalive: true, headers: { "X-CSRFToken": csrf ?? "" } };
  // One after the other, or the first of two quick changes might come last.
  saved = saved.then(() => fetch(save, { ...request, body: new URLSearchParams({ theme }) })).then(noteSaved, noop);
}

function noop() {}

// What a form sends is saved when the page comes back.
try {
  if (sessionStorage.getItem(SENT)) noteSaved();
  sessionStorage.removeItem(SENT);
  document.addEventListener("submit", ({ submitter }) => {
    if (submitter?.matches('[name="language"], .settings__save')) sessionStorage.setItem(SENT, "1");
  });
} catch {
  // As in saved.js.
}

// For a visit without a connection. After everything else: the first page owes nothing to it.
addEventListener("load", () => {
  navigator.serviceWorker?.register("/sw.js", { updateViaCache: "none" }).catch(() => {});
});
