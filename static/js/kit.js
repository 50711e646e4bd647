// @ts-check
// In place of the server on a page of the kit: it takes what the table sends and answers nothing, time stands still, and
// the state that only a page can be in (a picked tile, a lost connection) is brought about.

import { live } from "./socket.js";

const page = /** @type {HTMLElement} */ (document.getElementById("main"));
const standing = performance.now();
const address = new URL(location.href); // of what is shown
const pages = new Map(); // by their addresses
let asked = Promise.resolve();

// Before the other modules of the table read either. What is to come later never comes: a notice stays, and nothing is
// given up for an answer that was too long in coming.
const MOMENT_MS = 300;
performance.now = () => standing;
const { fetch, setTimeout } = window;
window.fetch = async () => new Response(null, { status: 204 });
Object.assign(window, {
  setTimeout: (/** @type {() => void} */ then, ms = 0) => (ms > MOMENT_MS ? 0 : setTimeout(then, ms)),
  setInterval: () => 0,
});

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
  if (document.getElementById("f-cloth")?.dataset.format !== format) await swap({ format }, "#f-cloth");
}

/** Puts fragments of the same state, drawn in another way, in the place of those shown. */
async function swap(/** @type {Record<string, string>} */ words, /** @type {string} */ selector) {
  const { still } = page.dataset;
  page.dataset.still = "";
  for (const [name, word] of Object.entries(words)) address.searchParams.set(name, word);
  if (!pages.has(address.href)) pages.set(address.href, await (await fetch(address)).text());
  const drawn = new DOMParser().parseFromString(pages.get(address.href), "text/html");
  live.dispatchEvent(new CustomEvent("swapping"));
  for (const fragment of drawn.querySelectorAll(selector)) document.getElementById(fragment.id)?.replaceWith(document.adoptNode(fragment));
  document.documentElement.lang = drawn.documentElement.lang;
  live.dispatchEvent(new CustomEvent("update"));
  await act();
  page.dataset.still = still;
}

// Asked for by whoever looks at many languages: a page that is loaded anew takes five times as long.
page.addEventListener("kit:language", (event) => {
  const { detail } = /** @type {CustomEvent} */ (event);
  asked = asked.then(() => swap({ lang: detail, format: document.getElementById("f-cloth")?.dataset.format ?? "wide" }, '#main [id^="f-"]'));
});

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

/** @type {Record<string, () => unknown>} */
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
  // As turn.js shows it when it has just come.
  forced() {
    const card = document.querySelector("#f-auction[data-forced]");
    card?.setAttribute("data-held", "");
    card?.removeAttribute("hidden");
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
    live.dispatchEvent(new CustomEvent("back"));
  },
  proof: () => show(".proof:not(.reckoned)"),
  why: () => show(".reckoned"),
  sum: () => show("#f-sum .help"),
  row() {
    ACTS.log();
    show(".log details:has([data-scores])");
  },
  words() {
    ACTS.log();
    show(".panel__words");
  },
  keys: () => isModal("keys") || press('[data-action="keys"]'),
  sound() {
    if (!document.querySelector("#sound:popover-open")) press('[popovertarget="sound"]');
  },
  async rules() {
    if (!isModal("rules-sheet")) press("#rules-link");
    const isThere = () => document.querySelector("#rules-sheet-body:not([aria-busy]) > *, .rules-sheet__failed:not([hidden])");
    while (!isThere()) await new Promise((resolve) => requestAnimationFrame(resolve));
  },
};

/** Opens an explanation and brings it before the eyes. @param {string} selector */
function show(selector) {
  const details = document.querySelector(selector);
  details?.setAttribute("open", "");
  details?.scrollIntoView({ block: "nearest" });
}

/** @param {string} selector */
function press(selector) {
  /** @type {HTMLElement | null} */ (document.querySelector(selector))?.click();
}

/** @param {string} id */
function isModal(id) {
  return document.querySelector(`#${id}:modal`) !== null;
}

async function act() {
  await ACTS[page.dataset.act ?? ""]?.();
}

window.addEventListener("load", async () => {
  tell("htmx:wsOpen", { socketWrapper: server, event: { target: null } });
  await asked;
  await act();
  await document.fonts.ready;
  page.dataset.still = "ready";
});
