// @ts-check
// The whole game by keyboard. Keys count only while the focus is at the table, and never while something is typed; those
// that are letters, digits or signs can be switched off.

import { format, timesLeft } from "./clock.js";
import { say } from "./announce.js";
import { cancel, ownTiles, places, play, showPanel, step, toggle } from "./table.js";

const table = /** @type {HTMLElement} */ (document.getElementById("table"));
const help = /** @type {HTMLDialogElement | null} */ (document.getElementById("keys"));

/** What a key that is held down may do again and again; Enter also on the button that draws (D-6). */
const REPEATED = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "d"]);

/** Letters that mean nothing in a number, so that they count in the field of a bid too. */
const BESIDE_DIGITS = /^[acehlmn?]$/i;

/** @type {Record<string, (event: KeyboardEvent) => boolean | void>} */
const KEYS = {
  ArrowLeft: () => move(-1),
  ArrowRight: () => move(1),
  ArrowUp: () => bid(1),
  ArrowDown: () => bid(-1),
  Home: () => focusFitting(0),
  End: () => focusFitting(-1),
  Enter: activate,
  " ": activate,
  b: focusBest,
  d: () => press("#draw"),
  a: () => press("#accept"),
  n: () => press("#decline"),
  c: sayClocks,
  e: sayEnds,
  h: sayHand,
  m: sayLastMove,
  l: () => void showPanel(true),
  "?": () => help?.showModal(),
};

document.addEventListener("keydown", (event) => {
  const target = /** @type {Element} */ (event.target);
  // A dialog has its own keys, and closes by itself.
  if (target.closest("dialog[open]")) return;
  if (event.key === "Escape") {
    if (cancel() || closeDetails() || showPanel(false)) event.preventDefault();
    return;
  }
  if (event.ctrlKey || event.altKey || event.metaKey || !atTable(target)) return;
  if (event.key.length === 1 && event.key !== " " && !table.hasAttribute("data-letter-keys")) return;
  const isTyping = target.matches("input, textarea, select");
  if (isTyping && !(target.id === "bid-amount" && BESIDE_DIGITS.test(event.key))) return;
  if (/^[0-9]$/.test(event.key)) {
    if (pickNumber(Number(event.key) || 10)) event.preventDefault();
    return;
  }
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.repeat && !REPEATED.has(key)) {
    // A tile picked with Enter is not played by the same press.
    if (key === "Enter" && !target.closest("#draw")) event.preventDefault();
    return;
  }
  if (KEYS[key] && KEYS[key](event) !== false) event.preventDefault();
});

function closeDetails() {
  const open = document.querySelector("#main details[open]:is(.resign, .all-in, .help)");
  open?.removeAttribute("open");
  /** @type {HTMLElement | null | undefined} */ (open?.querySelector("summary"))?.focus();
  return Boolean(open);
}

/** @param {Element} target */
function atTable(target) {
  return target === document.body || table.contains(target);
}

/** Along the places of a picked tile, else along the hand. @param {number} by */
function move(by) {
  const shown = places();
  const row = shown.length ? shown : ownTiles();
  if (!row.length) return false;
  const isMirrored = !shown.length && document.documentElement.dir === "rtl";
  const now = row.indexOf(/** @type {any} */ (document.activeElement));
  const from = now < 0 ? (by > 0 ? -1 : 0) : now;
  focusOn(row[(from + (isMirrored ? -by : by) + row.length) % row.length]);
}

/** @param {HTMLElement | SVGElement} element */
function focusOn(element) {
  if (element.matches(".hand-tile")) for (const tile of ownTiles()) tile.tabIndex = tile === element ? 0 : -1;
  element.focus({ preventScroll: true });
}

/** @param {number} place */
function focusFitting(place) {
  const fitting = ownTiles().filter((tile) => tile.dataset.legal === "yes").at(place);
  if (!fitting) return false;
  focusOn(fitting);
}

/** @param {number} number */
function pickNumber(number) {
  const tile = ownTiles()[number - 1];
  if (!tile) return false;
  focusOn(tile);
  toggle(tile);
  return true;
}

function activate() {
  const focused = document.activeElement;
  const ghost = focused?.closest(".ghost");
  const amount = /** @type {HTMLElement | null} */ (table.querySelector("#bid-amount"));
  if (ghost) play(ghost);
  // Only to the number, where the next Enter bids: this one may have been meant for something else.
  else if (amount && focused?.matches("body, #f-prompt")) amount.focus();
  else return false;
}

function focusBest() {
  const best = places().reduce((/** @type {SVGGElement | null} */ most, place) => (!most || Number(place.dataset.due) > Number(most.dataset.due) ? place : most), null);
  if (!best) return false;
  best.focus({ preventScroll: true });
}

/** @param {number} direction */
function bid(direction) {
  const amount = /** @type {HTMLElement | null} */ (table.querySelector("#bid-amount"));
  if (!amount) return false;
  // From here the arrows are the field's own, and Enter sends the bid.
  amount.focus();
  step(direction);
}

/** @param {string} selector */
function press(selector) {
  const button = /** @type {HTMLElement | null} */ (table.querySelector(selector));
  if (!button) return false;
  button.click();
}

function sayClocks() {
  const { seats } = timesLeft();
  const parts = Array.from(table.querySelectorAll(".seat")).map((seat) => {
    const { seat: number } = /** @type {HTMLElement} */ (seat).dataset;
    return `${seat.getAttribute("aria-label")}, ${format(seats[Number(number)].bank)}`;
  });
  say(parts.join(". "));
}

function sayEnds() {
  const sum = document.getElementById("f-sum")?.innerText ?? "";
  // Before the first tile there is no sum.
  say((/\d/.test(sum) ? sum : (document.getElementById("f-words")?.textContent ?? "")).replace(/\s+/g, " "));
}

function sayHand() {
  const tiles = ownTiles();
  if (!tiles.length) return false;
  say(tiles.map((tile) => tile.getAttribute("aria-label")).join(". "));
}

function sayLastMove() {
  const news = document.querySelector("#f-announce > :last-child")?.textContent;
  if (!news) return false;
  say(news);
}
