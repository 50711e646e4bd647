// @ts-check
// Explanations that open: what a figure on the cloth means, and why a row of the log scored. What is open stays open
// when something happens; the rows are one stop for Tab, and the arrows go from one to the next.

import { live } from "./socket.js";

const log = /** @type {HTMLElement} */ (document.querySelector("#panel .log"));

let open = /** @type {string[]} */ ([]);
let explained = ""; // the fragment whose explanation is open
let isAtEnd = true; // else somebody reads further up

document.addEventListener("click", (event) => {
  for (const help of document.querySelectorAll(".help[open]")) {
    if (!help.contains(/** @type {Node} */ (event.target))) help.removeAttribute("open");
  }
});

// What lies on the cloth stays in sight as far as possible: below or above it, wherever the card covers less.
/** @param {Element} card */
function covered(card) {
  const { left, top, right, bottom } = card.getBoundingClientRect();
  let area = 0;
  for (const one of document.querySelectorAll("#f-cloth :is(.board__tile, .badge)")) {
    const box = one.getBoundingClientRect();
    const width = Math.min(right, box.right) - Math.max(left, box.left);
    const height = Math.min(bottom, box.bottom) - Math.max(top, box.top);
    if (width > 0 && height > 0) area += width * height;
  }
  return area;
}

function place() {
  const card = document.querySelector(".help[open] > .help__text");
  if (!card) return;
  card.removeAttribute("data-above");
  const below = covered(card);
  if (!below) return;
  card.setAttribute("data-above", "");
  if (covered(card) >= below) card.removeAttribute("data-above");
}

document.addEventListener("toggle", ({ target }) => {
  if (/** @type {Element} */ (target).matches(".help[open]")) place();
}, true);
const felt = /** @type {Element} */ (document.getElementById("felt"));
new ResizeObserver(place).observe(felt);
new MutationObserver(place).observe(felt, { childList: true, subtree: true }); // another drawing of the same table

live.addEventListener("swapping", () => {
  open = Array.from(log.querySelectorAll("details[open]"), (row) => row.id);
  explained = document.querySelector(".help[open]")?.parentElement?.id ?? "";
});

live.addEventListener("update", () => {
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  // Whoever reads it goes on reading, of the sum as it is now; a table without tiles has none.
  if (explained) document.querySelector(`#${explained}:not([data-empty]) > .help`)?.setAttribute("open", "");
  settle();
});

const rows = () => /** @type {HTMLElement[]} */ (Array.from(log.querySelectorAll("summary")));

function settle() {
  for (const row of rows()) row.tabIndex = -1;
  if (isAtEnd) log.scrollTop = log.scrollHeight;
}

log.addEventListener("keydown", (event) => {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (!step) return;
  const all = rows();
  const now = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  all[now < 0 ? (step > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, now + step))]?.focus();
  event.preventDefault();
});

log.addEventListener("toggle", ({ target }) => {
  const row = /** @type {HTMLDetailsElement} */ (target);
  if (row.open) row.scrollIntoView({ block: "nearest" });
}, true);
log.addEventListener("scroll", () => (isAtEnd = log.scrollTop + log.clientHeight > log.scrollHeight - 4), { passive: true });
new ResizeObserver(settle).observe(log);
settle();
