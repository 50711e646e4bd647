// @ts-check
// What is heard of a match and when. Only what everybody at the table knows, and never the only sign of it.

import { timesLeft } from "./clock.js";
import { live } from "./socket.js";
import { play, wish, wishes } from "./sound.js";

const LANDING_MS = 200;
const STEP_MS = 160;
const QUICK_MS = 3_000; // an answer that comes sooner needs no call
const LOOK_MS = 200;
const MARKS_S = new Set([20, 10, 5, 4, 3, 2, 1]);
const SOUNDS = /** @type {Record<string, string>} */ ({ played: "tile", drew: "draw", passed: "pass", bid: "bid", raised: "bid", accepted: "bid", declined: "pass" });

let ownTurn = isOwnTurn();
let actedAt = performance.now();
let lastMark = Infinity;

const own = () => document.getElementById("f-clocks")?.dataset.own ?? "";

function isOwnTurn() {
  const { turn, own: seat } = document.getElementById("f-clocks")?.dataset ?? {};
  return Boolean(turn) && turn === seat;
}

live.addEventListener("facts", (event) => {
  /** @type {string[][]} */
  const facts = /** @type {CustomEvent} */ (event).detail;
  let later = 0;
  for (const [kind, seat, what] of facts) {
    if (kind === "match_over" && seat !== "") play(own() && seat !== own() ? "lost" : "won", 400);
    if (!SOUNDS[kind]) continue;
    play(what ?? SOUNDS[kind], later + (kind === "played" ? LANDING_MS : 0));
    later += STEP_MS;
    if (kind === "played" && seat === own()) navigator.vibrate?.(12);
  }
});

live.addEventListener("chips", (event) => {
  const { count, gap, first } = /** @type {CustomEvent} */ (event).detail;
  for (let chip = 0; chip < count; chip += 1) play("chip", first + chip * gap, chip);
});

live.addEventListener("update", () => {
  const was = ownTurn;
  ownTurn = isOwnTurn();
  if (was && !ownTurn) actedAt = performance.now();
  if (!was && ownTurn && (document.hidden || performance.now() - actedAt > QUICK_MS)) play("turn", 300);
});

setInterval(() => {
  const { seats, turn } = timesLeft();
  const time = turn !== null && ownTurn ? seats[turn] : null;
  const mark = !time || time.delay ? Infinity : Math.ceil(time.bank / 1000);
  if (mark < lastMark && MARKS_S.has(mark)) play("tick");
  lastMark = mark;
}, LOOK_MS);

// The menu.

const menu = document.getElementById("sound");
const volume = /** @type {HTMLInputElement | null} */ (document.getElementById("sound-volume"));

/** @param {string} mode */
const choice = (mode) => /** @type {HTMLInputElement | null} */ (menu?.querySelector(`input[value="${mode}"]`) ?? null);

const chosen = choice(wishes().mode);
if (chosen) chosen.checked = true;
if (volume) volume.value = String(wishes().volume);

menu?.addEventListener("change", (event) => {
  const { type, value } = /** @type {HTMLInputElement} */ (event.target);
  wish(type === "range" ? { volume: Number(value) } : { mode: value });
  play(value === "low" ? "tick" : "tile");
});
