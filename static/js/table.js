// @ts-check
// Playing at the table: pick a tile, aim at a place, play, take it back. It shows what the fragments offer and sends
// their forms; which plays there are and what they score, only the server says.

import { claimFocus, focusFirst, keepFocus } from "./focus.js";
import { notice } from "./announce.js";
import { live, send, useFormat } from "./socket.js";

const table = /** @type {HTMLElement} */ (document.getElementById("table"));
const panel = /** @type {HTMLElement} */ (document.getElementById("panel"));

/** Ratios of width to height of the shapes a cloth can have, from the narrowest. @type {[string, number][]} */
const FORMATS = [
  ["strip-turned", 1 / 2.9],
  ["long-turned", 1 / 2],
  ["wide-turned", 1 / 1.45],
  ["square", 1],
  ["wide", 1.45],
  ["long", 2],
  ["strip", 2.9],
];
const KEEP = Math.log(1.15);

let picked = ""; // the tile that is picked, "1|4"
let aimed = /** @type {Element | null} */ (null);
let pointer = "mouse";

table.toggleAttribute("data-live", true);

/** @param {string} selector @returns {HTMLElement | null} */
const find = (selector) => table.querySelector(selector);

/** The places of the picked tile, clockwise from the west. */
export const places = () => /** @type {SVGGElement[]} */ (Array.from(table.querySelectorAll(".ghost[data-shown]")));

/** The own tiles, in their order. */
export const ownTiles = () => /** @type {HTMLButtonElement[]} */ (Array.from(table.querySelectorAll(".hand-tile")));

/** Picks a tile, or puts it back when it is picked already. @param {HTMLElement} button */
export function toggle(button) {
  const { tile = "", legal, why } = button.dataset;
  const wasPicked = picked === tile;
  cancel();
  if (wasPicked) return;
  if (legal === "yes") pick(tile);
  else if (why) notice(why);
}

/** @param {string} tile */
export function pick(tile) {
  picked = tile;
  table.dataset.picked = tile;
  find(`.hand-tile[data-tile="${tile}"]`)?.setAttribute("aria-pressed", "true");
  for (const ghost of table.querySelectorAll(`.ghost[data-tile="${tile}"]`)) ghost.setAttribute("data-shown", "");
  const shown = places();
  for (const { dataset } of shown) find(`.badge[data-site="${dataset.site}"]`)?.setAttribute("data-covered", "");
  if (shown.length === 1 && !table.hasAttribute("data-dragging")) {
    shown[0].focus({ preventScroll: true });
    aim(shown[0]);
  }
}

/** Puts the picked tile back. Says whether there was one. */
export function cancel() {
  if (!picked) return false;
  const tile = find(`.hand-tile[data-tile="${picked}"]`);
  const hadFocus = document.activeElement?.closest(".ghost");
  tile?.setAttribute("aria-pressed", "false");
  for (const ghost of places()) ghost.removeAttribute("data-shown");
  for (const badge of table.querySelectorAll("[data-covered]")) badge.removeAttribute("data-covered");
  picked = "";
  delete table.dataset.picked;
  aim(null);
  if (hadFocus) tile?.focus();
  return true;
}

/** Shows a place as if it were played, or none. @param {Element | null} ghost */
export function aim(ghost) {
  if (aimed && aimed !== ghost) aimed.removeAttribute("data-aimed");
  aimed = ghost;
  ghost?.setAttribute("data-aimed", "");
  preview(ghost);
}

/** @param {Element | null} ghost */
function preview(ghost) {
  const sum = document.getElementById("f-sum");
  const terms = sum?.querySelector('[data-sum="terms"]');
  const total = /** @type {HTMLElement | null} */ (sum?.querySelector('[data-sum="total"]') ?? null);
  if (!sum || !terms || !total) return;
  if (!("kept" in sum.dataset)) sum.dataset.kept = JSON.stringify([terms.textContent, total.textContent, total.hasAttribute("data-scores")]);
  const data = /** @type {SVGGElement | null} */ (ghost)?.dataset;
  const kept = JSON.parse(sum.dataset.kept ?? "[]");
  sum.toggleAttribute("data-preview", Boolean(data));
  terms.textContent = data ? (data.ends ?? "").replaceAll("+", " + ") : kept[0];
  total.textContent = data ? (data.total ?? "") : kept[1];
  total.toggleAttribute("data-scores", data ? data.due !== "0" : kept[2]);
}

/**
 * Plays the picked tile at a place. It lies there at once, and is taken back when the server refuses it.
 * @param {Element} ghost @param {object} [from] where it is now, if not in the hand
 */
export function play(ghost, from) {
  const { tile, site } = /** @type {SVGGElement} */ (ghost).dataset;
  const form = /** @type {HTMLFormElement | null} */ (find(`form[data-play="${tile}@${site}"]`));
  const inHand = find(`.hand-tile[data-tile="${tile}"]`);
  if (!form || !inHand || find("[data-sent]")) return;
  ghost.setAttribute("data-sent", "");
  inHand.setAttribute("data-sent", "");
  for (const other of places()) if (other !== ghost) other.removeAttribute("data-shown");
  live.dispatchEvent(new CustomEvent("sent", { detail: { ghost, tile: inHand, from } }));
  send(form);
}

/** Brings back what was sent: no answer to it is expected any more, and it may be sent again. */
function takeBack() {
  const sent = document.querySelectorAll("#main :is([data-sent], [aria-busy])");
  if (!sent.length) return;
  live.dispatchEvent(new CustomEvent("swapping"));
  cancel();
  for (const element of sent) {
    element.removeAttribute("data-sent");
    element.removeAttribute("aria-busy");
  }
  live.dispatchEvent(new CustomEvent("update"));
}

// What the pointer does. One listener on what is never replaced, so that every control works after any number of swaps.

// A finger is over a place before it is down: told late, it would aim like a mouse, and its first tap would play.
for (const type of /** @type {const} */ (["pointerover", "pointerdown"])) {
  document.addEventListener(type, (event) => (pointer = event.pointerType), true);
}

document.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target);
  const tile = /** @type {HTMLElement | null} */ (target.closest(".hand-tile"));
  const ghost = target.closest(".ghost");
  const action = /** @type {HTMLElement | null} */ (target.closest("[data-action]"));
  if (tile) toggle(tile);
  else if (ghost) tap(ghost);
  else if (action) act(action, event);
  else if (target.closest(".felt")) cancel();
});

/** @param {Element} ghost */
function tap(ghost) {
  const mustConfirm = pointer === "touch" && table.hasAttribute("data-confirm-moves");
  if (mustConfirm && aimed !== ghost) aim(ghost);
  else play(ghost);
}

table.addEventListener("contextmenu", (event) => {
  if (cancel()) event.preventDefault();
});

for (const [on, off] of [["pointerover", "pointerout"], ["focusin", "focusout"]]) {
  table.addEventListener(on, (event) => {
    const ghost = /** @type {Element} */ (event.target).closest?.(".ghost");
    if (ghost && pointer !== "touch") aim(ghost);
  });
  table.addEventListener(off, (event) => {
    const ghost = /** @type {Element} */ (event.target).closest?.(".ghost");
    if (ghost && ghost === aimed && pointer !== "touch" && !ghost.matches(":focus, :hover")) aim(null);
  });
}

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (form.matches("[data-leave]")) addToken(form);
  if (!form.dataset.command) return;
  event.preventDefault();
  const button = form.querySelector("button:not([type])");
  if (button?.hasAttribute("aria-busy")) return;
  button?.setAttribute("aria-busy", "true");
  send(form);
});

/** What came by socket holds no token of its own, and this form is posted as it is. @param {HTMLFormElement} form */
function addToken(form) {
  if (form.elements.namedItem("csrfmiddlewaretoken")) return;
  const token = Object.assign(document.createElement("input"), { type: "hidden", name: "csrfmiddlewaretoken" });
  token.value = table.closest("main")?.dataset.csrf ?? "";
  form.append(token);
}

/** @param {HTMLElement} element @param {Event} event */
function act(element, event) {
  const { action } = element.dataset;
  if (action === "step-up" || action === "step-down") step(action === "step-up" ? 1 : -1);
  else if (action === "panel" || action === "panel-close") {
    event.preventDefault();
    showPanel(action === "panel");
  } else if (action === "close-details") element.closest("details")?.removeAttribute("open");
  else if (action === "keys") /** @type {HTMLDialogElement | null} */ (document.getElementById("keys"))?.showModal();
  else if (action === "peek") element.closest(".sheet")?.toggleAttribute("data-peek");
}

/** @param {boolean} isOpen */
export function showPanel(isOpen) {
  const wasOpen = panel.hasAttribute("data-open");
  panel.toggleAttribute("data-open", isOpen);
  // On a wide screen the panel is always there and has nothing to open or close it with.
  const goals = isOpen ? [panel.querySelector(".panel__close"), panel.querySelector(".log")] : [find('[data-action="panel"]'), find("#f-prompt")];
  const goal = /** @type {HTMLElement | undefined} */ (goals.find((element) => element?.getClientRects().length));
  if (isOpen || wasOpen) goal?.focus();
  return wasOpen;
}

// The stepper of the auction.

/** One step of the bid up or down. @param {number} direction */
export function step(direction) {
  const input = /** @type {HTMLInputElement | null} */ (find("#bid-amount"));
  if (!input) return;
  if (direction > 0) input.stepUp();
  else input.stepDown();
  keepBid(input);
  showBid(input);
}

table.addEventListener("input", (event) => {
  const input = /** @type {HTMLInputElement} */ (event.target);
  if (input.id !== "bid-amount") return;
  keepBid(input);
  showBid(input);
});

// What is half typed outlives a picture that is drawn afresh, and the page in another language.

/** What may be bid now: a number that was meant for something else does not come back. @param {HTMLInputElement} input */
const asked = (input) => `${location.pathname} ${input.min} ${input.max} `;

/** @param {HTMLInputElement} input */
function keepBid(input) {
  sessionStorage.setItem("half-typed", asked(input) + input.value);
}

/** @param {HTMLInputElement | null} input */
function bringBidBack(input) {
  const kept = sessionStorage.getItem("half-typed") ?? "";
  if (!input) sessionStorage.removeItem("half-typed");
  else if (input.value === input.defaultValue && kept.startsWith(asked(input))) input.value = kept.slice(asked(input).length);
}

/** @param {HTMLInputElement} input */
function showBid(input) {
  const form = /** @type {HTMLFormElement} */ (input.form);
  const amount = Number(input.value);
  const discount = Number(/** @type {HTMLElement} */ (input.closest(".stepper")).dataset.discount);
  for (const place of form.querySelectorAll('[data-step="amount"]')) place.textContent = String(amount);
  for (const place of form.querySelectorAll('[data-step="net"]')) place.textContent = String(amount - discount);
  const button = /** @type {HTMLButtonElement} */ (form.querySelector("#bid"));
  const wording = /** @type {HTMLElement} */ (button.firstElementChild);
  wording.textContent = (button.dataset.wording ?? "").replace("{amount}", String(amount));
  // Said here, in the language of the page: the browser's own words would lie over the buttons.
  const isBid = input.validity.valid;
  button.disabled = !isBid;
  input.setAttribute("aria-invalid", String(!isBid));
  form.querySelector('[data-step="right"]')?.toggleAttribute("hidden", !isBid);
  form.querySelector('[data-step="wrong"]')?.toggleAttribute("hidden", isBid);
  form.querySelector('[data-action="step-down"]')?.toggleAttribute("disabled", amount <= Number(input.min));
  form.querySelector('[data-action="step-up"]')?.toggleAttribute("disabled", amount >= Number(input.max));
}

// After each swap.

let before = /** @type {ReturnType<typeof keepFocus> | null} */ (null);
let refusal = document.getElementById("f-toast");
let sheetKind = kindOfSheet();

live.addEventListener("swapping", () => (before = keepFocus()));

live.addEventListener("update", () => {
  const hadFocus = before;
  const toast = document.getElementById("f-toast");
  if (toast !== refusal && toast?.dataset.code) {
    refusal = toast;
    takeBack();
    live.dispatchEvent(new CustomEvent("refused"));
  }
  const tile = picked;
  const site = /** @type {SVGGElement | null} */ (aimed)?.dataset.site;
  if (!find('.hand-tile[aria-pressed="true"]') || !places().length) forget();
  if (tile && !picked && find(`.hand-tile[data-tile="${tile}"][data-legal="yes"]`)) {
    pick(tile);
    // A mouse aims anew where it is by then; a finger has only tapped there, and the focus may have stayed.
    const same = places().find(({ dataset }) => dataset.site === site);
    if (same && (pointer === "touch" || same.matches(":focus"))) aim(same);
  }
  settle();
  claimFocus(hadFocus);
  const kind = kindOfSheet();
  // The end of a hand or of the match is never hidden behind the log of a phone, where one has resigned too.
  if (kind && kind !== sheetKind && panel.hasAttribute("data-open")) {
    panel.removeAttribute("data-open");
    focusFirst([]);
  }
  sheetKind = kind;
});

function kindOfSheet() {
  return /** @type {HTMLElement | null} */ (document.querySelector("#f-sheet:not([hidden])"))?.dataset.kind ?? "";
}

for (const name of ["unsent", "lost", "back"]) live.addEventListener(name, takeBack);

function forget() {
  picked = "";
  aimed = null;
  delete table.dataset.picked;
}

/** Brings what was drawn afresh into the state the page expects: one stop for the hand, the drawn tile picked. */
function settle() {
  const tiles = ownTiles();
  const stop = tiles.find((tile) => tile === document.activeElement) ?? tiles.find((tile) => tile.dataset.legal === "yes") ?? tiles[0];
  for (const tile of tiles) tile.tabIndex = tile === stop ? 0 : -1;
  const must = tiles.find((tile) => tile.dataset.must !== undefined);
  if (must && !picked) pick(must.dataset.tile ?? "");
  const input = /** @type {HTMLInputElement | null} */ (find("#bid-amount"));
  bringBidBack(input);
  if (input) showBid(input);
}

// The shape of the cloth decides how the layout is folded.

const cloth = () => document.getElementById("felt");
let shape = document.getElementById("f-cloth")?.dataset.format?.replace("square-turned", "square") ?? "wide";

function measure() {
  const felt = cloth();
  const box = document.getElementById("f-cloth")?.getBoundingClientRect();
  if (!felt || !box || !box.height) return;
  const ratio = Math.log(box.width / box.height);
  const away = (/** @type {number} */ value) => Math.abs(Math.log(value) - ratio);
  const nearest = FORMATS.reduce((best, entry) => (away(entry[1]) < away(best[1]) ? entry : best));
  const current = FORMATS.find((entry) => entry[0] === shape) ?? nearest;
  if (away(current[1]) - away(nearest[1]) > KEEP) shape = nearest[0];
  useFormat(shape);
}

new ResizeObserver(measure).observe(/** @type {HTMLElement} */ (cloth()));
measure();
settle();
