// @ts-check
// Points that move: chips fly from the payer to the receiver, stacks and numbers go with them. They fly on over the next
// pictures, and end at once when points move again.

import { all, isReduced, points } from "./poses.js";
import { live } from "./socket.js";

const CHIP_MS = 620;
const STEP_MS = 90;
const ALL_MS = 1_600;
const VALUE = 5; // points of a chip, and chips of a stack

const table = /** @type {HTMLElement} */ (document.getElementById("table"));

/** @type {{payer: string, from: Map<string, number>, count: number, gap: number, started: number, flights: Animation[]} | null} */
let payment = null;

/** What the server drew, for each picture of chips that this page draws. @type {WeakMap<Element, Element>} */
const drawn = new WeakMap();

/** @param {string} seat @param {string} part */
const find = (seat, part) => /** @type {HTMLElement | null} */ (table.querySelector(`.seat[data-seat="${seat}"] .${part}`));

/** Pays what has moved since these were the points of the seats. @param {Map<string, number>} was */
export function pay(was) {
  const now = points();
  const change = (/** @type {string} */ seat) => (now.get(seat) ?? 0) - (was.get(seat) ?? 0);
  const [payer, receiver] = [...was.keys()].sort((one, other) => change(one) - change(other));
  if (!(change(receiver) > 0)) return show();
  finish();
  const count = change(receiver) / VALUE;
  const gap = Math.min(STEP_MS, (ALL_MS - CHIP_MS) / count);
  const isStill = isReduced() || document.hidden;
  live.dispatchEvent(new CustomEvent("chips", { detail: { count, gap, first: isStill ? 0 : CHIP_MS } }));
  if (isStill) return;
  payment = { payer, from: was, count, gap, started: performance.now(), flights: fly(payer, receiver, count, gap) };
  tick();
}

/** @param {string} payer @param {string} receiver @param {number} count @param {number} gap */
function fly(payer, receiver, count, gap) {
  const model = /** @type {HTMLTemplateElement | null} */ (document.getElementById("flying-chip"))?.content.firstElementChild;
  const [start, goal] = [payer, receiver].map((seat) => find(seat, "chips")?.getBoundingClientRect());
  if (!model || !goal || !start) return [];
  const box = table.getBoundingClientRect();
  const bow = Math.min(150, box.width / 5);
  return Array.from({ length: count }, (_, number) => {
    const chip = /** @type {HTMLElement} */ (model.cloneNode(true));
    table.append(chip);
    const path = [0, 0.25, 0.5, 0.75, 1].map((k) => {
      const sine = Math.sin(k * Math.PI);
      const x = start.right + (goal.right - start.right) * k + sine * bow - box.left - 24;
      return { transform: `translate(${x}px,${start.top + (goal.top - start.top) * k - box.top}px) rotate(${k * 160 + number * 25}deg) scale(${1 + sine * 0.35})`, opacity: 1 };
    });
    // Until it leaves it is one of the stack.
    const timing = { duration: CHIP_MS, delay: number * gap, easing: "cubic-bezier(.45,.05,.3,1)", fill: /** @type {FillMode} */ ("both") };
    const flight = chip.animate([{ ...path[0], opacity: 0 }, { ...path[0], offset: 0.01 }, ...path.slice(1)], timing);
    flight.onfinish = flight.oncancel = () => chip.remove();
    return flight;
  });
}

function tick() {
  show();
  if (payment) requestAnimationFrame(tick);
}

/** Chips that have left are gone from the one stack, those that have landed are on the other; numbers change then. */
function show() {
  if (!payment) return;
  const { payer, from, count, gap, started } = payment;
  const after = (/** @type {number} */ ms) => Math.max(0, Math.min(count, Math.floor((performance.now() - started - ms) / gap) + 1));
  const landed = after(CHIP_MS);
  if (landed === count) return finish();
  for (const [seat, was] of from) {
    const [coins, chips] = seat === payer ? [-landed, -after(0)] : [landed, landed];
    const text = find(seat, "seat__points");
    const picture = find(seat, "chips");
    if (text) {
      text.dataset.final ??= text.textContent ?? "";
      text.textContent = String(was + coins * VALUE);
    }
    if (picture) stack(picture, was / VALUE + chips);
  }
}

/** Draws as many chips as the server would. @param {Element} picture @param {number} chips */
function stack(picture, chips) {
  if (picture.getAttribute("data-shown") === String(chips)) return;
  if (!drawn.has(picture)) drawn.set(picture, /** @type {Element} */ (picture.cloneNode(true)));
  const pitch = Number(picture.children[1]?.getAttribute("x")) || 118;
  const [left, top, width, height] = (picture.getAttribute("viewBox") ?? "").split(" ").map(Number);
  const stacks = Math.max(1, Math.ceil(chips / VALUE));
  const wide = (stacks - 1) * pitch + 108;
  const uses = Array.from({ length: stacks }, (_, number) => {
    const use = document.createElementNS(picture.namespaceURI ?? "", "use");
    use.setAttribute("x", String(number * pitch));
    use.setAttribute("href", `#d-c${Math.min(VALUE, chips - number * VALUE)}`);
    return use;
  });
  picture.setAttribute("width", String((Number(picture.getAttribute("width")) / width) * wide));
  picture.setAttribute("viewBox", `${left} ${top} ${wide} ${height}`);
  picture.setAttribute("data-shown", String(chips));
  picture.replaceChildren(...(chips > 0 ? uses : []));
}

/** All chips are where they belong, and the numbers are the server's. */
export function finish() {
  if (!payment) return;
  const { flights } = payment;
  payment = null;
  for (const flight of flights) {
    // At once: without its flight a chip would lie in the corner until the event of the end comes.
    /** @type {KeyframeEffect} */ (flight.effect).target?.remove();
    flight.cancel();
  }
  for (const text of all(".seat__points[data-final]")) {
    text.textContent = text.dataset.final;
    delete text.dataset.final;
  }
  for (const picture of all(".seat .chips[data-shown]")) picture.replaceWith(drawn.get(picture));
}
