// @ts-check
// The way to the server: htmx's socket with what it lacks. Commands never wait for a lost connection, old pictures are
// dropped, round trips are measured, and where sockets are blocked the page asks over HTTP.

import { renew } from "./focus.js";

const PING_MS = 10_000;
const PING_AFTER = 300_000; // characters; the server gives up a page that shows for too long not to have read
const ANSWER_MS = 6_000;
const POLL_MS = 2_000;
const POLL_LIMIT_MS = 10_000;
const POLL_FULL_MS = 15_000;
const SHOW_LOST_MS = 1_200;
const FAILURES_UNTIL_POLLING = 3;
const RECONNECT_MS = 30_000;
const FULL = 4413; // too many only watch
const RETRIED_BY_HTMX = new Set([1006, 1011, 1012, 1013]);
const language = document.documentElement.lang; // what the page around is written in
const WITH_NONCE = new Set(["start", "continue"]);

/** @type {any} */
const htmx = /** @type {any} */ (window).htmx;
const page = /** @type {HTMLElement} */ (document.getElementById("main"));
const events = new EventTarget();

let wrapper = /** @type {any} */ (null);
let socket = /** @type {WebSocket | null} */ (null); // the one that is open, or was the last to be
let isOpen = false;
let isAsking = false;
let isStale = false; // what is shown has to be drawn afresh, whatever its version
let failures = 0;
let answerTimer = 0;
let pollTimer = 0;
let reconnectTimer = 0;
let polling = "polling"; // the event that tells why
let lostTimer = 0;
let format = "";
let unread = 0; // characters that came since the last ping
let mark = ""; // what the server's last answer held: sent back, it shows that all before it was read

/** What other modules listen to: "update" after a swap, "time" with an estimate of the server's clock, "lost", "back". */
export const live = events;

/** The version that is shown. */
export function shownSeq() {
  return Number(document.getElementById("f-seq")?.dataset.seq ?? 0);
}

/** For whom and how that was drawn. */
function shownLook() {
  return document.getElementById("f-seq")?.dataset.look ?? "";
}

/** Tells the server the shape of this table; it draws the layout for it. @param {string} name */
export function useFormat(name) {
  if (name === format) return;
  format = name;
  if (isOpen) say({ type: "format", format });
  else if (pollTimer) poll(true);
}

/** Sends the command of a form. @param {HTMLFormElement} form */
export async function send(form) {
  const fields = new FormData(form);
  fields.set("id", random());
  if (WITH_NONCE.has(String(fields.get("type")))) fields.set("nonce", random());
  if (isOpen) {
    const frame = Object.fromEntries(fields);
    delete frame.csrfmiddlewaretoken;
    say(frame);
    expectAnswer();
    return;
  }
  try {
    // Forms that came by socket hold no token of their own: the page's one goes with them.
    fields.set("csrfmiddlewaretoken", page.dataset.csrf ?? "");
    const body = new URLSearchParams(/** @type {any} */ (fields));
    const response = await fetch(`${form.action}?${new URLSearchParams({ language })}`, { method: "POST", body, headers: { "HX-Request": "true" } });
    if (response.ok) swap(await response.text());
    else location.reload();
  } catch {
    events.dispatchEvent(new CustomEvent("unsent"));
  }
}

// Not `crypto.randomUUID`: browsers know it only at safe addresses, and a table may be played across a home network.
function random() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {Record<string, unknown>} frame */
function say(frame) {
  wrapper?.sendImmediately(JSON.stringify(frame));
}

// The socket opens, speaks, closes.

page.addEventListener("htmx:wsOpen", (event) => {
  const { detail } = /** @type {CustomEvent} */ (event);
  wrapper = detail.socketWrapper;
  socket = detail.event.target;
  isOpen = true;
  failures = 0;
  hello();
  ping();
  stopPolling();
  clearTimeout(lostTimer);
  events.dispatchEvent(new CustomEvent("back"));
});

page.addEventListener("htmx:wsClose", (event) => {
  const { event: closed, socketWrapper } = /** @type {CustomEvent} */ (event).detail;
  // The end of an earlier one may be told late.
  if (isOpen && closed.target !== socket) return;
  // htmx would send these when the connection is back, and play a move of long ago.
  if (socketWrapper) socketWrapper.queue.length = 0;
  wrapper = socketWrapper ?? wrapper;
  failures += 1;
  lost();
  if (!RETRIED_BY_HTMX.has(closed.code)) reconnectTimer = window.setTimeout(reconnect, RECONNECT_MS);
  if (failures >= FAILURES_UNTIL_POLLING || !RETRIED_BY_HTMX.has(closed.code)) startPolling(closed.code === FULL);
});

/** Says what is shown, whatever the server thinks; it sends what is missing. @param {number} [seq] -1 for all of it */
function hello(seq = shownSeq()) {
  say({ type: "hello", seq, look: shownLook(), format });
}

// A piece was left out that is not here: everything, then.
document.addEventListener("incomplete", () => isOpen && hello(-1));

function lost() {
  if (isOpen) lostTimer = window.setTimeout(() => events.dispatchEvent(new CustomEvent("lost")), SHOW_LOST_MS);
  isOpen = false;
  noAnswerExpected();
}

/** Opens another socket in place of the present one. Never while htmx tries by itself: each try would go on for ever. */
function reconnect() {
  // How the old one ends is of no interest any more: htmx would open yet another one.
  if (socket) socket.onclose = null;
  lost();
  wrapper?.reconnect();
}

// A connection that does not answer is not trusted: opening it anew brings everything that was missed.

function expectAnswer() {
  if (!answerTimer) answerTimer = window.setTimeout(unanswered, ANSWER_MS);
}

function noAnswerExpected() {
  clearTimeout(answerTimer);
  answerTimer = 0;
}

function unanswered() {
  reconnect();
  startPolling();
}

page.addEventListener("htmx:wsBeforeMessage", (event) => {
  noAnswerExpected();
  const message = /** @type {string} */ (/** @type {CustomEvent} */ (event).detail.message);
  unread += message.length;
  if (unread > PING_AFTER) ping();
  if (message.startsWith("{")) {
    event.preventDefault();
    pong(JSON.parse(message));
  } else if (isOld(message)) {
    event.preventDefault();
  } else {
    events.dispatchEvent(new CustomEvent("swapping"));
  }
});

page.addEventListener("htmx:wsAfterMessage", () => updated());

/** A picture of an earlier version than the one that is shown. @param {string} html */
function isOld(html) {
  const found = /id="f-seq"[^>]*data-seq="(\d+)"/.exec(html);
  return found !== null && Number(found[1]) < shownSeq();
}

function updated() {
  const now = Number(document.getElementById("f-seq")?.dataset.now);
  events.dispatchEvent(new CustomEvent("update"));
  if (now) events.dispatchEvent(new CustomEvent("time", { detail: { now, trip: Infinity } }));
}

// Round trips: how late the server's clock is when its answer arrives.

function ping() {
  if (!isOpen) return;
  unread = 0;
  say({ type: "ping", t: Math.round(performance.now()), mark });
  expectAnswer();
}

/** @param {{type: string, t: number, now: number, mark: string}} frame */
function pong(frame) {
  if (frame.type !== "pong") return;
  mark = frame.mark;
  const trip = Math.max(0, performance.now() - frame.t);
  events.dispatchEvent(new CustomEvent("time", { detail: { now: frame.now, trip } }));
}

setInterval(ping, PING_MS);

// Back from the background, from a frozen tab, from no network: what was missed is asked for at once.

function lookAgain() {
  if (isOpen) {
    say({ type: "resync", seq: shownSeq(), look: shownLook() });
    ping();
  } else {
    poll(false);
  }
}

window.addEventListener("online", lookAgain);
document.addEventListener("resume", lookAgain);
document.addEventListener("visibilitychange", () => document.hidden || lookAgain());
window.addEventListener("pageshow", ({ persisted }) => {
  // The page was kept as it was left, and its socket with it, which nobody listens to any more.
  if (persisted && isOpen) reconnect();
  if (persisted) poll(false);
});

/** Says that the opponent's time is up; the server judges. */
export function claim() {
  if (isOpen) say({ type: "claim" });
  else poll(false);
}

// Where no socket opens: the same fragments over HTTP.

function startPolling(isFull = false) {
  if (pollTimer) return;
  pollTimer = window.setInterval(() => poll(false), isFull ? POLL_FULL_MS : POLL_MS);
  polling = isFull ? "full" : "polling";
  events.dispatchEvent(new CustomEvent(polling));
  poll(false);
}

function stopPolling() {
  clearInterval(pollTimer);
  clearTimeout(reconnectTimer);
  pollTimer = 0;
}

// Where htmx or its extension did not come, no socket ever opens, and none fails either.
if (page.hasAttribute("ws-connect")) window.setTimeout(() => isOpen || startPolling(), ANSWER_MS);

/** @param {boolean} afresh */
async function poll(afresh) {
  isStale ||= afresh;
  if (isAsking) return;
  isAsking = true;
  const query = new URLSearchParams({ seq: isStale ? "-1" : String(shownSeq()), look: shownLook(), language });
  isStale = false;
  if (format) query.set("format", format);
  try {
    const asked = { headers: { "HX-Request": "true" }, signal: AbortSignal.timeout(POLL_LIMIT_MS) };
    const response = await fetch(`${page.dataset.fragments}?${query}`, asked);
    if (response.status === 200) swap(await response.text());
    if (response.ok && !isOpen && pollTimer) events.dispatchEvent(new CustomEvent(polling));
  } catch {
    if (!isOpen) events.dispatchEvent(new CustomEvent("lost"));
  } finally {
    isAsking = false;
  }
}

/** Puts fragments in the place of those with the same id. @param {string} html */
function swap(html) {
  if (isOld(html)) return;
  events.dispatchEvent(new CustomEvent("swapping"));
  const parsed = new DOMParser().parseFromString(html, "text/html");
  for (const fragment of Array.from(parsed.body.children)) {
    const shown = fragment.id && document.getElementById(fragment.id);
    if (!shown) continue;
    fragment.removeAttribute("hx-swap-oob");
    renew(shown, fragment);
  }
  updated();
  // What the page shows now did not come by the socket, and of it nothing may be left out.
  if (isOpen) hello();
}

if (htmx) htmx.config.wsReconnectDelay = (/** @type {number} */ tries) => Math.min(4_000, 250 * 2 ** tries) * (0.5 + Math.random() / 2);
