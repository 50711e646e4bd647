// @ts-check
/* The lobby's socket: go to the table when a match begins, say when the list is not live and when it is (theme.js looks
 * again where it never was).
 * The list itself is swapped by hx-ws. */

import "./quiet.js";

const FOLLOWED = "followed-match";
const FOUND = "found-match"; // what match.js sounds: a sound of this page would end with it
const lobby = document.querySelector("[data-lobby]");

/** Go where the server says the match is; once, so that coming back to the lobby is possible. */
function follow() {
  const url = document.getElementById("lobby-go")?.dataset.url;
  if (!url || !url.startsWith("/matches/") || sessionStorage.getItem(FOLLOWED) === url) return;
  sessionStorage.setItem(FOLLOWED, url);
  sessionStorage.setItem(FOUND, url);
  window.location.assign(url);
}

if (lobby) {
  document.body.addEventListener("htmx:wsAfterMessage", follow);
  document.body.addEventListener("htmx:wsOpen", () => {
    lobby.toggleAttribute("data-live", true);
    lobby.removeAttribute("data-offline");
  });
  document.body.addEventListener("htmx:wsClose", () => lobby.setAttribute("data-offline", ""));
  // Coming back by the back button shows an old page: ask for a fresh one.
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) window.location.reload();
  });
}
