// @ts-check
// A tile that is dragged from the hand to a place. Whatever can be dragged can be tapped as well: this only picks, aims
// and plays as the taps do.

import { all } from "./poses.js";
import { live } from "./socket.js";
import { aim, cancel, pick, places, play } from "./table.js";

const FAR = { mouse: 5, pen: 6, touch: 9 }; // pixels until a press is a drag
const REACH = 60; // pixels from a place at which a tile snaps to it
const LIFT = 34; // pixels by which a tile is held above a finger, to be seen
const CLICK_MS = 60; // a click that belongs to the release has come by then

/** @typedef {{id: number, tile: string, x: number, y: number, far: number, lift: number, held: SVGSVGElement | null, dx: number, dy: number}} Drag */

const table = /** @type {HTMLElement} */ (document.getElementById("table"));
let drag = /** @type {Drag | null} */ (null);

/** @param {string} tile */
const handTile = (tile) => /** @type {HTMLElement | null} */ (table.querySelector(`.hand-tile[data-tile="${tile}"][data-legal="yes"]`));

document.addEventListener("pointerdown", (event) => {
  if (drag?.held) return void stop();
  drag = null;
  const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest(".hand-tile[data-legal='yes']"));
  if (!button || event.button || !event.isPrimary || table.querySelector("[data-sent]")) return;
  const { pointerId: id, pointerType, clientX: x, clientY: y } = event;
  const far = FAR[/** @type {"mouse"} */ (pointerType)] ?? FAR.touch;
  drag = { id, tile: button.dataset.tile ?? "", x, y, far, lift: pointerType === "touch" ? LIFT : 0, held: null, dx: 0, dy: 0 };
});

document.addEventListener("pointermove", (event) => {
  if (!drag || event.pointerId !== drag.id) return;
  if (!event.buttons) return void stop();
  const way = Math.hypot(event.clientX - drag.x, event.clientY - drag.y);
  if (!drag.held && (way < drag.far || !lift(drag))) return;
  drag.x = event.clientX;
  drag.y = event.clientY;
  follow(drag);
});

/** Takes the tile out of the hand, if it may still be played. @param {Drag} drag */
function lift(drag) {
  const button = handTile(drag.tile);
  const picture = button?.querySelector(".tile");
  if (!button || !picture) return stop();
  const { left, top, width, height } = picture.getBoundingClientRect();
  const held = /** @type {SVGSVGElement} */ (picture.cloneNode(true));
  for (const [name, value] of Object.entries({ class: "flyer", width, height, "data-tile": drag.tile })) held.setAttribute(name, String(value));
  drag.held = held;
  drag.dx = left - drag.x;
  drag.dy = top - drag.y - drag.lift;
  table.append(held);
  table.setPointerCapture(drag.id);
  table.setAttribute("data-dragging", "");
  cancel();
  pick(drag.tile);
  button.setAttribute("data-dragged", "");
  return true;
}

/** @param {Drag} drag */
function follow({ held, x, y, dx, dy }) {
  if (!held) return;
  const corner = table.getBoundingClientRect();
  held.style.transform = `translate(${x + dx - corner.left}px, ${y + dy - corner.top}px)`;
  const { left, top, width, height } = held.getBoundingClientRect();
  const place = nearest(left + width / 2, top + height / 2) ?? nearest(x, y);
  held.toggleAttribute("data-snapped", Boolean(place));
  aim(place);
}

/** The place whose circle or outline is next to a point, if near enough. @param {number} x @param {number} y */
function nearest(x, y) {
  let best = /** @type {Element | null} */ (null);
  let reach = REACH;
  for (const place of places()) {
    for (const part of all(".ghost__rest circle, .ghost__outline", place)) {
      const { left, top, width, height } = part.getBoundingClientRect();
      const way = Math.hypot(left + width / 2 - x, top + height / 2 - y);
      if (way < reach) [best, reach] = [place, way];
    }
  }
  return best;
}

document.addEventListener("pointerup", (event) => {
  if (!drag || event.pointerId !== drag.id) return;
  const { held } = drag;
  const place = table.querySelector(".ghost[data-aimed]");
  if (!held || !place) return void stop();
  const { left, top, width, height } = held.getBoundingClientRect();
  release();
  play(place, { x: left + width / 2, y: top + height / 2, half: width / 1.2, turn: 0 });
});

/** The tile goes back into the hand. */
function stop() {
  if (!drag?.held) {
    drag = null;
    return false;
  }
  live.dispatchEvent(new CustomEvent("swapping"));
  release();
  cancel();
  live.dispatchEvent(new CustomEvent("update"));
  return false;
}

function release() {
  if (!drag) return;
  drag.held?.remove();
  // A capture of a pointer that is up or gone by now is none.
  if (table.hasPointerCapture(drag.id)) table.releasePointerCapture(drag.id);
  drag = null;
  table.removeAttribute("data-dragging");
  for (const tile of all("[data-dragged]", table)) tile.removeAttribute("data-dragged");
  // The click of the release is none.
  document.addEventListener("click", swallow, true);
  setTimeout(() => document.removeEventListener("click", swallow, true), CLICK_MS);
}

/** @param {Event} event */
function swallow(event) {
  event.stopPropagation();
  event.preventDefault();
}

document.addEventListener("pointercancel", (event) => event.pointerId === drag?.id && stop());
// Not that of the tile, from which a finger is taken over.
table.addEventListener("lostpointercapture", (event) => event.target === table && event.pointerId === drag?.id && stop());
window.addEventListener("blur", stop);

/** @param {Event} event */
function giveUp(event) {
  if (!drag?.held) return;
  event.stopPropagation();
  event.preventDefault();
  stop();
}

document.addEventListener("contextmenu", giveUp, true);
document.addEventListener("keydown", (event) => event.key === "Escape" && giveUp(event), true);

// Under a tile that is held the table may change. It stays held while it may still be played.
live.addEventListener("update", () => {
  if (!drag?.held) return;
  const button = handTile(drag.tile);
  if (!button || !places().length) return void stop();
  button.setAttribute("data-dragged", "");
  follow(drag);
});
