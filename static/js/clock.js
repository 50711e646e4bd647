// @ts-check
// Draws the running clock. The server decides; this only shows its deadline against an estimate of its time.

import { sayTimeLeft } from "./announce.js";
import { serverNow } from "./servertime.js";
import { claim } from "./socket.js";

const LOW_MS = 20_000;
const LAST_MS = 10_000;
const CLAIM_AFTER_MS = 700;
const FRAME_MS = 50;
const tenths = new Intl.NumberFormat(document.documentElement.lang || "en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });

let claimedFor = "";
let drawnAt = 0;

/** The figures of `f-clocks`. */
function figures() {
  const data = document.getElementById("f-clocks")?.dataset ?? {};
  const banks = (data.banks ?? "").split(" ").map(Number);
  const turn = data.turn ? Number(data.turn) : null;
  return { turn, banks, deadline: Number(data.deadline), own: data.own ? Number(data.own) : null };
}

/** Bank and delay left of each seat, in ms. */
export function timesLeft() {
  const { turn, banks, deadline, own } = figures();
  const seats = banks.map((bank, seat) => {
    const left = seat === turn ? Math.max(0, deadline - serverNow()) : bank;
    return { bank: Math.min(bank, left), delay: seat === turn ? Math.max(0, left - bank) : 0, runs: seat === turn };
  });
  return { seats, turn, own, deadline };
}

/** Minutes and seconds, under twenty seconds with tenths as the language writes them; rounded down. @param {number} ms */
export function format(ms) {
  if (ms < LOW_MS) return tenths.format(Math.floor(ms / 100) / 10);
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** @param {number} time */
function draw(time) {
  requestAnimationFrame(draw);
  if (time - drawnAt < FRAME_MS) return;
  drawnAt = time;
  const { seats, turn, own, deadline } = timesLeft();
  seats.forEach((time, seat) => drawSeat(seat, time));
  const left = turn === null ? null : seats[turn].bank;
  if (left !== null && turn === own) sayTimeLeft(left, seats[turn ?? 0].delay > 0);
  const prompt = document.getElementById("f-prompt");
  prompt?.toggleAttribute("data-low", turn === own && left !== null && left < LOW_MS);
  prompt?.toggleAttribute("data-up", turn === own && left === 0);
  for (const element of document.querySelectorAll("[data-until], [data-since]")) drawSpan(/** @type {HTMLElement} */ (element));
  if (turn !== null && own !== null && serverNow() > deadline + CLAIM_AFTER_MS && claimedFor !== String(deadline)) {
    claimedFor = String(deadline);
    claim();
  }
}

/** @param {number} seat @param {{bank: number, delay: number, runs: boolean}} time */
function drawSeat(seat, time) {
  const clock = /** @type {HTMLElement | null} */ (document.querySelector(`[data-clock="${seat}"]`));
  if (!clock) return;
  const delay = Math.ceil(time.delay / 1000);
  const state = !time.runs ? "paused" : delay ? "delay" : "bank";
  setText(clock.querySelector(".clock__bank"), format(time.bank));
  setText(clock.querySelector(".clock__count"), String(delay));
  if (clock.dataset.state !== state) clock.dataset.state = state;
  clock.toggleAttribute("data-low", time.bank < LOW_MS);
  clock.toggleAttribute("data-last", time.runs && !delay && time.bank < LAST_MS);
  clock.closest(".seat")?.toggleAttribute("data-low", time.runs && time.bank < LOW_MS);
  const dashes = delay ? `${"7.6 2.4 ".repeat(delay - 1)}7.6 100` : "0 100";
  const lit = clock.querySelector(".clock__lit");
  if (lit?.getAttribute("stroke-dasharray") !== dashes) lit?.setAttribute("stroke-dasharray", dashes);
}

/** @param {HTMLElement} element */
function drawSpan(element) {
  const { until, since } = element.dataset;
  const ms = Math.max(0, until ? Number(until) - serverNow() : serverNow() - Number(since));
  const seconds = Math.floor(ms / 1000);
  setText(element, `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`);
}

/** @param {Element | null} element @param {string} text */
function setText(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}

requestAnimationFrame(draw);
