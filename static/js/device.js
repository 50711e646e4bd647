// @ts-check
// Two at one device: what the one was shown is gone before the other looks, and the next thing to press has the focus.

import { live } from "./socket.js";
import { cancel } from "./table.js";

/** All of the page that shows a hand, or what can be done with it. */
const SHOWN = "#f-me .seat__hand, #f-me .moves, #f-opponent .seat__hand, #f-cloth > *, #f-yard > *, #f-auction > *, #f-prompt > *, #f-sheet > *, #f-announce > *, .flyer";

const curtain = () => document.querySelector("#f-curtain:not([hidden])");

let wasShut = curtain() !== null;
if (wasShut) focusReveal();

live.addEventListener("update", () => {
  const isShut = curtain() !== null;
  if (isShut && !wasShut) {
    // A notice may name a tile ("1–4 does not fit"), and no picture replaces it.
    empty("#f-toast", "#assertive");
    focusReveal();
  }
  wasShut = isShut;
});

/** @param {string[]} names */
function empty(...names) {
  for (const place of document.querySelectorAll(names.join())) place.textContent = "";
}

function focusReveal() {
  /** @type {HTMLElement | null} */ (document.getElementById("reveal"))?.focus({ preventScroll: true });
}

// A page that is left may be kept whole and shown again on the way back, long after the device went over.

window.addEventListener("pagehide", () => {
  cancel();
  for (const part of document.querySelectorAll(SHOWN)) part.remove();
  empty("#f-toast", "#assertive", "#polite");
});

window.addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});
