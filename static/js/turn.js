// @ts-check
// What the page does by itself when a turn comes: says so in its title, shows for a moment what happened without
// anybody's doing, and draws where that is wanted.

import { live, shownSeq } from "./socket.js";

const HOLD_MS = 1_500;
const DRAW_MS = 250;

const table = /** @type {HTMLElement} */ (document.getElementById("table"));
const title = document.title;
const words = document.getElementById("passed")?.dataset ?? {};

/** @param {string} id */
const byId = (id) => document.getElementById(id);

// What has happened, once for each time: "facts" tells of it, as words like "played:0" with the seat.

let toldSeq = shownSeq();

live.addEventListener("update", () => {
  const news = /** @type {HTMLElement[]} */ (Array.from(document.querySelectorAll("#f-announce > [data-facts]")));
  const fresh = news.filter(({ dataset }) => Number(dataset.seq) > toldSeq);
  const facts = fresh.flatMap(({ dataset }) => (dataset.facts ?? "").split(" ").map((fact) => fact.split(":")));
  const forced = Number(byId("f-auction")?.dataset.forced ?? 0) > toldSeq;
  toldSeq = Math.max(toldSeq, shownSeq());
  if (facts.length) live.dispatchEvent(new CustomEvent("facts", { detail: facts }));
  const passed = facts.findLast(([kind]) => kind === "passed");
  if (passed) hold(byId("passed"), passed[1]);
  if (forced) hold(byId("f-auction"));
  tellTurn();
  drawLater();
});

/** Shows something for a moment. Nothing waits for it. @param {HTMLElement | null} element @param {string} [seat] whose side */
function hold(element, seat = "") {
  if (!element) return;
  const time = String(performance.now());
  element.dataset.side = byId("f-me")?.dataset.seat === seat ? "near" : "far";
  element.dataset.held = time;
  element.hidden = false;
  setTimeout(() => (element.hidden ||= element.dataset.held === time), HOLD_MS);
}

// The title of a tab that nobody sees.

function tellTurn() {
  const { turn, own } = byId("f-clocks")?.dataset ?? {};
  const wording = turn && turn === own ? words.yourTurn : byId("start") ? words.ready : "";
  document.title = document.hidden && wording ? wording.replace("{title}", title) : title;
}

document.addEventListener("visibilitychange", tellTurn);

// Drawing by itself, tile by tile: nothing is decided by it.

let drawTimer = 0;
let isRefused = false;

function drawLater() {
  clearTimeout(drawTimer);
  if (!byId("draw")) isRefused = false;
  else if (table.hasAttribute("data-auto-draw") && !isRefused) drawTimer = window.setTimeout(draw, DRAW_MS);
}

function draw() {
  if (!table.querySelector('.hand-tile[data-legal="yes"]')) byId("draw")?.click();
}

for (const name of ["refused", "unsent", "lost"]) {
  live.addEventListener(name, () => {
    isRefused = true;
    clearTimeout(drawTimer);
  });
}

tellTurn();
drawLater();
