// @ts-check
// What a screen reader hears, the notices that everybody sees, and the banner of the connection.

import { live } from "./socket.js";

const TOAST_MS = 6_000;
const BACK_MS = 1_800;
const MARKS_S = [20, 10, 5];

const polite = /** @type {HTMLElement} */ (document.getElementById("polite"));
const assertive = /** @type {HTMLElement} */ (document.getElementById("assertive"));
const banner = /** @type {HTMLElement} */ (document.getElementById("connection"));

let saidSeq = Number(document.getElementById("f-seq")?.dataset.seq ?? 0);
let lastMark = Infinity;
let toastTimer = 0;
let ownSeq = Infinity; // the version that a notice of this page speaks of
let shownToast = /** @type {Element | null} */ (null);
let bannerTimer = 0;

/** What is asked for twice is said twice: only a text that has changed is read. @param {string} text */
export function say(text) {
  polite.textContent = polite.textContent === text ? `${text}\u00a0` : text;
}

/** A notice for everybody, gone after a while. @param {string} text */
export function notice(text) {
  const toast = document.getElementById("f-toast");
  if (!toast) return;
  toast.setAttribute("role", "status");
  toast.textContent = text;
  ownSeq = saidSeq;
  shownToast = toast;
  hideToastLater(toast);
}

/** Says when own time gets short, once for each mark. @param {number} ms @param {boolean} isDelay */
export function sayTimeLeft(ms, isDelay) {
  const seconds = Math.ceil(ms / 1000);
  const mark = MARKS_S.filter((limit) => seconds <= limit).pop() ?? Infinity;
  if (!isDelay && mark < lastMark) assertive.textContent = (assertive.dataset.seconds ?? "").replace("{seconds}", String(seconds));
  if (!isDelay || mark === Infinity) lastMark = mark;
}

live.addEventListener("update", () => {
  const news = document.getElementById("f-announce");
  const seq = Number(news?.dataset.seq ?? 0);
  if (news && seq > saidSeq) {
    const fresh = Array.from(news.children).filter((line) => Number(/** @type {HTMLElement} */ (line).dataset.seq) > saidSeq);
    // In a turn in which nothing fits, what to do is said with it.
    const draw = news.dataset.turn && document.getElementById("draw")?.getAttribute("aria-label");
    const text = [...fresh.map((line) => line.textContent), news.dataset.turn, draw && `${draw}.`].filter(Boolean).join(" ");
    saidSeq = seq;
    (news.dataset.level === "assertive" ? assertive : polite).textContent = text;
  }
  const toast = document.getElementById("f-toast");
  if (!toast?.textContent) return;
  if (toast !== shownToast) {
    // The server's: it came with this update.
    ownSeq = Infinity;
    shownToast = toast;
    hideToastLater(toast);
  } else if (saidSeq > ownSeq) {
    toast.textContent = "";
  }
});

/** @param {HTMLElement} toast */
function hideToastLater(toast) {
  clearTimeout(toastTimer);
  toastTimer = window.setTimeout(() => {
    if (toast.matches(":hover")) hideToastLater(toast);
    else toast.textContent = "";
  }, TOAST_MS);
}

/** @param {string} key @param {boolean} isBusy */
function show(key, isBusy) {
  clearTimeout(bannerTimer);
  banner.hidden = false;
  /** @type {HTMLElement} */ (banner.querySelector(".banner__ring")).hidden = !isBusy;
  const text = /** @type {HTMLElement} */ (banner.querySelector("[data-text]"));
  // A device that knows of no network may still reach a server of its own house, so this is said only in addition.
  const offline = isBusy && !navigator.onLine ? ` · ${banner.dataset.offline}` : "";
  const words = (banner.dataset[key] ?? "") + offline;
  const isNew = text.textContent !== words;
  text.textContent = words;
  // Lost and back are said at once, below; the banner itself is silent, or all would be heard twice.
  if (isNew && (key === "polling" || key === "full")) say(text.textContent);
}

/** Which words say that the connection is lost: they go by whether a clock ran when the page last knew. */
function lost() {
  const clocks = document.getElementById("f-clocks")?.dataset;
  if (clocks?.phase === "over") return "lostOver";
  return clocks?.turn ? "lost" : "lostStopped";
}

live.addEventListener("lost", () => {
  show(lost(), true);
  assertive.textContent = assertive.dataset[lost()] ?? "";
});
for (const why of ["polling", "full"]) live.addEventListener(why, () => show(why, false));
live.addEventListener("unsent", () => show(lost(), true));
live.addEventListener("back", () => {
  if (banner.hidden) return;
  show("back", false);
  assertive.textContent = assertive.dataset.back ?? "";
  bannerTimer = window.setTimeout(() => (banner.hidden = true), BACK_MS);
});
