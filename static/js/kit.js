// @ts-check
// In place of the server on a page of the kit: it takes what the table sends and answers nothing, time stands still, and
// the state that only a page can be in (a picked tile, a lost connection) is brought about.

import { live } from "./socket.js";

const page = /** @type {HTMLElement} */ (document.getElementById("main"));
const standing = performance.now();
const pictures = new Map(); // cloths by the format of the table
let asked = Promise.resolve();

// Before the other modules of the table read either.
performance.now = () => standing;
const { fetch } = window;
window.fetch = async () => new Response(null, { status: 204 });

const server = {
  queue: [],
  reconnect() {},
  /** @param {string} frame */
  sendImmediately(frame) {
    const { type, format } = JSON.parse(frame);
    if (type === "ping") tell("htmx:wsBeforeMessage", { message: JSON.stringify({ type: "pong", now: Number(marker().now) }) });
    if (format && !page.dataset.format) asked = asked.then(() => draw(format));
  },
};

/** @param {string} name @param {Record<string, unknown>} detail */
function tell(name, detail) {
  page.dispatchEvent(new CustomEvent(name, { detail, cancelable: true }));
}

function marker() {
  return /** @type {HTMLElement} */ (document.getElementById("f-seq")).dataset;
}

/** Has the cloth drawn for the shape it has here. @param {string} format */
async function draw(format) {
  const shown = document.getElementById("f-cloth");
  if (!shown || shown.dataset.format === format) return;
  const { still } = page.dataset;
  page.dataset.still = "";
  if (!pictures.has(format)) {
    const address = new URL(location.href);
    address.searchParams.set("format", format);
    const answer = await fetch(address);
    pictures.set(format, new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("f-cloth"));
  }
  live.dispatchEvent(new CustomEvent("swapping"));
  document.getElementById("f-cloth")?.replaceWith(document.importNode(pictures.get(format), true));
  live.dispatchEvent(new CustomEvent("update"));
  act();
  page.dataset.still = still;
}

const tiles = () => /** @type {HTMLElement[]} */ (Array.from(document.querySelectorAll(".hand-tile")));
const places = () => /** @type {SVGGElement[]} */ (Array.from(document.querySelectorAll(".ghost[data-shown]")));

/** The tile with most places; of those the one that can score most. */
function pick() {
  const value = (/** @type {HTMLElement} */ tile) => {
    const ghosts = /** @type {SVGGElement[]} */ (Array.from(document.querySelectorAll(`.ghost[data-tile="${tile.dataset.tile}"]`)));
    return ghosts.length * 1000 + Math.max(0, ...ghosts.map((ghost) => Number(ghost.dataset.due)));
  };
  const [best] = tiles().sort((one, other) => value(other) - value(one));
  if (best?.getAttribute("aria-pressed") === "false") best.click();
}

/** The place that scores most. */
function best() {
  return places().reduce((found, place) => (Number(place.dataset.due) > Number(found.dataset.due) ? place : found), places()[0]);
}

/** @type {Record<string, () => void>} */
const ACTS = {
  pick,
  aim() {
    pick();
    best()?.focus({ preventScroll: true });
  },
  sent() {
    for (const element of document.querySelectorAll("[data-sent]")) element.removeAttribute("data-sent");
    pick();
    best()?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  },
  refuse() {
    if (!document.getElementById("f-toast")?.textContent) tiles().find((tile) => tile.dataset.legal === "no")?.click();
  },
  bid: () => document.querySelector(".all-in")?.setAttribute("open", ""),
  resign() {
    document.getElementById("panel")?.setAttribute("data-open", "");
    document.getElementById("resign")?.setAttribute("open", "");
  },
  log: () => document.getElementById("panel")?.setAttribute("data-open", ""),
  lost: () => live.dispatchEvent(new CustomEvent("lost")),
  back() {
    live.dispatchEvent(new CustomEvent("lost"));
    const { setTimeout } = window;
    // The notice stays, as everything does here.
    Object.assign(window, { setTimeout: () => 0 });
    live.dispatchEvent(new CustomEvent("back"));
    Object.assign(window, { setTimeout });
  },
};

function act() {
  ACTS[page.dataset.act ?? ""]?.();
}

window.addEventListener("load", async () => {
  tell("htmx:wsOpen", { socketWrapper: server, event: { target: null } });
  await asked;
  act();
  await document.fonts.ready;
  page.dataset.still = "ready";
});
