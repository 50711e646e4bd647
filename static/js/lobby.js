// @ts-check
/* The lobby's socket: go to the table when a match begins, say when the list is not live (theme.js looks again where it
 * never was).
 * The list itself is swapped by hx-ws, which also opens the socket again, unless the server has closed it on purpose. */

import "./quiet.js";

const FOLLOWED = "followed-match";
const FOUND = "found-match"; // what match.js sounds: a sound of this page would end with it
const RETRIED_BY_HTMX = [1006, 1011, 1012, 1013];
const LOOK_AGAIN_MS = 10_000; // as a page without scripts
const RETRY_LIMIT_MS = 8_000; // htmx alone would wait for up to a minute after a restart of the site
const lobby = document.querySelector("[data-lobby]");
const off = /** @type {HTMLElement | null} */ (document.querySelector(".lobby__off"));
/** @type {any} */
const htmx = /** @type {any} */ (window).htmx;

/** Go where the server says the match is; once, so that coming back to the lobby is possible. */
function follow() {
  const url = document.getElementById("lobby-go")?.dataset.url;
  if (!url || !url.startsWith("/matches/") || sessionStorage.getItem(FOLLOWED) === url) return;
  sessionStorage.setItem(FOLLOWED, url);
  sessionStorage.setItem(FOUND, url);
  window.location.assign(url);
}

/** Unless something was just sent, which leads on by itself (theme.js). */
function lookAgain() {
  if (!document.documentElement.hasAttribute("data-sending")) location.reload();
}

if (lobby) {
  if (htmx) htmx.config.wsReconnectDelay = (/** @type {number} */ tries) => Math.min(RETRY_LIMIT_MS, 500 * 2 ** tries) * (0.5 + Math.random() / 2);
  document.body.addEventListener("htmx:wsAfterMessage", follow);
  document.body.addEventListener("htmx:wsOpen", () => {
    lobby.toggleAttribute("data-live", true);
    lobby.removeAttribute("data-offline");
    off?.replaceChildren();
  });
  document.body.addEventListener("htmx:wsClose", (event) => {
    lobby.setAttribute("data-offline", "");
    // Said once, however often it is tried again.
    if (off && !off.firstChild) off.append(off.dataset.lost ?? "");
    const { code } = /** @type {CustomEvent} */ (event).detail.event;
    if (!RETRIED_BY_HTMX.includes(code)) setTimeout(lookAgain, LOOK_AGAIN_MS);
  });
  // Coming back by the back button shows an old page: ask for a fresh one.
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) window.location.reload();
  });
}
