// @ts-check
// What the newest picture brought moves there from where it was. Nothing moves unless something happened, and nothing
// waits for it: the next picture starts from what is seen then.

import { finish, pay } from "./chips.js";
import { all, backs, isReduced, left, lying, note, pile, standing, viewed } from "./poses.js";
import { live } from "./socket.js";

/** @typedef {import("./poses.js").Pose} Pose @typedef {{tile: string, flyer: SVGSVGElement, until: number}} Flight */
/** @typedef {ReturnType<typeof note> & {flights: Map<string, {from: Pose, rest: number}>}} Noted */

const FLY_MS = 260;
const CAMERA_MS = 240;
const REFLOW_MS = 320;
const GLIDE_MS = 200;
const DRAW_MS = 220;
const DEAL_STEP_MS = 60;
const LIGHT_MS = 200;
const SHEET_MS = 320;
const FADE_MS = 120;
const DEALT = 3; // more tiles than these at once are a deal
const SENT = 0.85; // opacity of what the server has not confirmed
const EASE = "cubic-bezier(.2,.7,.2,1)";

const table = /** @type {HTMLElement} */ (document.getElementById("table"));
const running = /** @type {Set<Animation>} */ (new Set());
const dealt = /** @type {Animation[]} */ ([]);
const flights = /** @type {Map<string, Flight>} */ (new Map());
let old = /** @type {Noted | null} */ (null);

/** @param {Element} element @param {Keyframe[]} frames @param {number} duration @param {KeyframeAnimationOptions} [options] */
function run(element, frames, duration, options) {
  const animation = element.animate(frames, { easing: EASE, duration, ...options });
  running.add(animation);
  animation.onfinish = animation.oncancel = () => running.delete(animation);
  return animation;
}

/** @param {Element} element @param {string} transform @param {number} ms @param {KeyframeAnimationOptions} [options] */
const comeFrom = (element, transform, ms, options) => run(element, [{ transform }, { transform: "none" }], ms, options);

/** @param {Element} element @param {number} [ms] */
const appear = (element, ms = FADE_MS) => run(element, [{ opacity: 0 }, { opacity: 1 }], ms, { easing: "ease-in" });

/** Everything but chips is where it belongs, at once. */
function settle() {
  for (const animation of running) animation.cancel();
  running.clear();
  for (const { tile } of flights.values()) land(tile);
}

live.addEventListener("swapping", () => {
  const under = new Map([...flights.values()].map(({ tile, flyer, until }) => [tile, { from: poseOf(flyer), rest: until - performance.now() }]));
  settle();
  old = { ...note(), flights: under };
});

live.addEventListener("update", () => {
  if (!old) return;
  pay(old.points);
  if (!document.hidden) (isReduced() ? show : move)(old);
  old = null;
});

// A tile that is played flies at once; whether it may, the server says later.
live.addEventListener("sent", (event) => {
  const { ghost, tile, from = standing(tile.querySelector(".tile")) } = /** @type {CustomEvent} */ (event).detail;
  if (!document.hidden && !isReduced()) flying(ghost.querySelector(".ghost__tile"), ghost.dataset.tile, from, FLY_MS, SENT)?.();
});

// A tab that nobody sees holds nothing half-way.
document.addEventListener("visibilitychange", () => {
  settle();
  finish();
});

// Any input ends a deal.
for (const type of ["pointerdown", "keydown"]) {
  document.addEventListener(type, () => dealt.splice(0).forEach((animation) => animation.cancel()), true);
}

/** The sheet that has come. @param {Noted} old */
function newCard({ sheet }) {
  const shown = document.querySelector(".sheet:not([hidden])");
  return shown && shown.getAttribute("data-kind") !== sheet ? shown.firstElementChild : null;
}

/** The tile that was laid last, if it alone is new. @param {Noted} old */
function newTile({ cloth }) {
  const fresh = all("#f-cloth .board__tile").filter((tile) => !cloth.has(tile.id));
  return fresh.length === 1 ? fresh[0] : null;
}

/** With few movements: new things fade in. @param {Noted} old */
function show(old) {
  const parts = [newTile(old), newCard(old), changes(old).isFolded && document.querySelector("#f-cloth .board")];
  for (const part of parts) if (part) appear(part);
}

/** @param {Noted} old */
function move(old) {
  // All is measured before anything moves.
  const steps = [...landings(old), ...hands(old), cloth(old)];
  for (const step of steps) step?.();
  const card = newCard(old);
  if (card) {
    // The last tile is seen landing.
    const options = /** @type {KeyframeAnimationOptions} */ ({ delay: flights.size ? FLY_MS : 0, fill: "backwards" });
    comeFrom(card, "translateY(32px)", SHEET_MS, options);
    run(/** @type {Element} */ (card.parentElement), [{ opacity: 0 }, { opacity: 1 }], SHEET_MS, options);
  }
  light(old.lit);
}

// Tiles to their places on the cloth.

/** @param {Noted} old */
function landings(old) {
  const tile = newTile(old);
  const code = tile?.id.slice(2).replace("-", "|") ?? "";
  const under = old.flights.get(code);
  old.flights.delete(code);
  const hidden = [...old.backs].find(([seat, poses]) => poses.length > backs(seat).length)?.[1].at(-1);
  const from = under?.from ?? old.hand.get(code) ?? hidden;
  const ms = under?.rest ?? FLY_MS;
  const flight = tile && from && flying(tile, code, from, ms);
  const lines = all(old.spinner ? ".board__last" : ".board__last, .board__spinner");
  const steps = [flight, flight && (() => lines.forEach((line) => run(line, [{ opacity: 0 }, { opacity: 0, offset: 0.8 }, { opacity: 1 }], ms)))];
  for (const [other, { from, rest }] of old.flights) {
    const goal = document.getElementById(`t-${other.replace("|", "-")}`);
    if (goal) steps.push(flying(goal, other, from, rest));
  }
  return steps;
}

/**
 * The flight of a tile to where it lies or will lie, in an arc, landing with a settle of 2 %. What flies is a copy over
 * everything else, since the seats would cover the cloth.
 * @param {Element} tile @param {string} code @param {Pose} from @param {number} ms @param {number} [opacity]
 */
function flying(tile, code, from, ms, opacity = 1) {
  const { box, rect, x, y, half, turn } = lying(tile);
  const way = Math.hypot(x - from.x, y - from.y);
  if (way < 2 || ms <= 0) return null;
  return () => {
    const flyer = copy(tile, box, rect);
    const corner = table.getBoundingClientRect();
    const back = ((from.turn - turn + 540) % 360) - 180;
    const frames = [0, 0.2, 0.4, 0.6, 0.8, 1].map((offset) => {
      const part = Math.min(1, offset / 0.8);
      const k = (1 - part) ** 2; // of the way, still before it
      const lift = Math.sin(k * Math.PI) * Math.min(48, way * 0.14);
      const settled = offset === 1 ? 1 : 1 + 0.02 * part;
      const size = settled * (1 + (from.half / half - 1) * k);
      const to = [x + (from.x - x) * k - corner.left - rect.width / 2, y + (from.y - y) * k - lift - corner.top - rect.height / 2];
      return { offset, opacity, transform: `translate(${to[0]}px,${to[1]}px) rotate(${back * k}deg) scale(${size})` };
    });
    land(code);
    flights.set(code, { tile: code, flyer, until: performance.now() + ms });
    run(tile, [{ opacity: 0 }, { opacity: 0 }], ms);
    run(flyer, frames, ms, { easing: "linear", fill: "both" }).addEventListener("finish", () => land(code));
  };
}

/** A copy of a tile, as large as it lies, over the table. @param {Element} tile @param {DOMRect} box @param {DOMRect} rect */
export function copy(tile, box, { width, height }) {
  const flyer = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const attributes = { class: "flyer", viewBox: `${box.x} ${box.y} ${box.width} ${box.height}`, width, height, "aria-hidden": "true" };
  for (const [name, value] of Object.entries(attributes)) flyer.setAttribute(name, String(value));
  flyer.append(...all("use", tile).map((use) => use.cloneNode()));
  table.append(flyer);
  return flyer;
}

/** Where a copy is by now. @param {SVGSVGElement} flyer @returns {Pose} */
export function poseOf(flyer) {
  const { a, b, e, f } = new DOMMatrix(getComputedStyle(flyer).transform);
  const { width, height } = flyer;
  const [wide, high] = [width.baseVal.value, height.baseVal.value];
  const { left, top } = table.getBoundingClientRect();
  const half = (wide / flyer.viewBox.baseVal.width) * 100 * Math.hypot(a, b);
  return { x: left + e + wide / 2, y: top + f + high / 2, half, turn: lying(flyer).turn + (Math.atan2(b, a) * 180) / Math.PI };
}

/** @param {string} code */
function land(code) {
  flights.get(code)?.flyer.remove();
  flights.delete(code);
}

// The hands.

/** A tile glides to its place in a hand. @param {Element} picture @param {Pose} from @param {number} ms @param {number} [delay] */
function gliding(picture, from, ms, delay = 0) {
  const to = standing(picture);
  const [x, y] = [from.x - to.x, from.y - to.y];
  if (Math.hypot(x, y) < 2 || !to.half) return null;
  return () => comeFrom(picture, `translate(${x}px,${y}px) rotate(${from.turn}deg) scale(${from.half / to.half})`, ms, { delay, fill: "backwards" });
}

/** @param {Noted} old */
function hands(old) {
  const rows = [...old.backs].map(([seat, poses]) => backs(seat).map((back, index) => [back, poses[index]]));
  rows.push(all(".hand-tile").map((tile) => [tile.querySelector(".tile"), old.hand.get(tile.dataset.tile)]));
  return rows.flatMap((row) => {
    const kept = row.filter(([, from]) => from).map(([picture, from]) => gliding(picture, from, GLIDE_MS));
    // What comes into sight without having been drawn was there before.
    const yard = left() === old.left ? null : (old.yard ?? pile());
    const drawn = row.filter(([, from]) => !from && yard);
    const gap = drawn.length > DEALT ? DEAL_STEP_MS : DRAW_MS;
    const steps = drawn.map(([picture], index) => {
      const step = gliding(picture, /** @type {Pose} */ (yard), DRAW_MS, index * gap);
      return step && (() => dealt.push(step()));
    });
    return [...kept, ...steps];
  });
}

// The cloth.

/** How what lay there lies now: as before, all shifted alike, or folded otherwise. @param {Noted} old */
function changes({ cloth }) {
  const kept = all("#f-cloth .board__tile").filter((tile) => cloth.has(tile.id));
  const moves = kept.map((tile) => {
    const [now, was] = [lying(tile), /** @type {ReturnType<typeof lying>} */ (cloth.get(tile.id))];
    const shift = [now.box.x - was.box.x, now.box.y - was.box.y, now.turn - was.turn].map(Math.round);
    return { tile, now, was, shift };
  });
  return { moves, isFolded: moves.some(({ shift }) => String(shift) !== String(moves[0].shift)) };
}

/** @param {Noted} old */
function cloth(old) {
  const { moves, isFolded } = changes(old);
  const board = document.querySelector("#f-cloth .board");
  const [now, was] = [viewed(), old.view];
  if (!board || !now || !was || !moves.length) return null;
  if (isFolded) return () => fold(moves, now.unit);
  // The picture glides: the corner of the board starts where the old camera saw that point.
  const [{ shift }] = moves;
  const x = was.left + (now.x - shift[0] - was.x) * was.unit - now.left;
  const y = was.top + (now.y - shift[1] - was.y) * was.unit - now.top;
  const scale = was.unit / now.unit;
  if (Math.abs(scale - 1) < 0.004 && Math.hypot(x, y) < 1.5) return null;
  return () => comeFrom(board, `translate(${x}px,${y}px) scale(${scale})`, CAMERA_MS);
}

/** Each tile goes its own way. @param {ReturnType<typeof changes>["moves"]} moves @param {number} unit pixels a unit */
function fold(moves, unit) {
  for (const { tile, now, was } of moves) {
    const turn = ((was.turn - now.turn + 540) % 360) - 180;
    comeFrom(tile, `translate(${(was.x - now.x) / unit}px,${(was.y - now.y) / unit}px) rotate(${turn}deg) scale(${was.half / now.half})`, REFLOW_MS);
  }
  for (const part of all(".board__ends, .board__last, .board__spinner")) appear(part, REFLOW_MS);
}

// Whose turn it is.

/** @param {string | null | undefined} was */
function light(was) {
  const seat = document.querySelector(".seat[data-turn]");
  if (seat?.getAttribute("data-seat") === was) return;
  for (const changed of [seat, document.querySelector(`.seat[data-seat="${was}"]`)]) {
    if (changed) run(changed, [{ opacity: 1 }, { opacity: 0 }], LIGHT_MS, { pseudoElement: "::before" });
  }
}
