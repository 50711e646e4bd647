// @ts-check
// Where everything lies on the screen, so that what moves can start from where it was.

/**
 * The middle of a tile in pixels of the window, the side of a half, and how far it is turned clockwise from standing
 * with its larger half on top.
 * @typedef {{x: number, y: number, half: number, turn: number}} Pose
 */

const HALF = 100; // units of a half in the drawings
const AIR = 1.2; // a tile that stands by itself is drawn with air around it

/** @param {string} selector @param {ParentNode} [within] @returns {any[]} */
export const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));

/** Whether this person wants few movements: a setting of the account, else of the device. */
export function isReduced() {
  const chosen = document.documentElement.dataset.motion;
  return chosen === "reduced" || (chosen !== "full" && matchMedia("(prefers-reduced-motion: reduce)").matches);
}

/** @param {DOMRect} rect @param {number} half @param {number} [turn] @returns {Pose} */
const middle = ({ left, top, width, height }, half, turn = 0) => ({ x: left + width / 2, y: top + height / 2, half, turn });

/** A tile that stands by itself. @param {Element} picture */
export function standing(picture) {
  const rect = picture.getBoundingClientRect();
  return middle(rect, Math.min(rect.width, rect.height) / AIR);
}

/** A tile on the cloth, or its ghost: measured by its body, whatever else is drawn. @param {Element} tile */
export function lying(tile) {
  const [body, ...pips] = all("use", tile);
  const rect = body.getBoundingClientRect();
  const box = body.getBBox();
  const values = [0, 0];
  for (const half of pips) values[["x", "y"].every((side) => half.getAttribute(side) === body.getAttribute(side)) ? 0 : 1] = Number(half.getAttribute("href").at(-1));
  const isOver = values[0] < values[1];
  const turn = body.getAttribute("href").startsWith("#d-l") ? (isOver ? 90 : -90) : isOver ? 180 : 0;
  return { box, rect, ...middle(rect, (rect.width / box.width) * HALF, turn) };
}

/** How the window shows the cloth: the corner of the board, the point of the cloth there, pixels a unit. */
export function viewed() {
  const tiles = /** @type {SVGSVGElement | null} */ (document.querySelector("#f-cloth .board__tiles"));
  const board = tiles?.closest(".board")?.getBoundingClientRect();
  if (!tiles || !board?.width) return null;
  const { x, y, width } = tiles.viewBox.baseVal;
  return { left: board.left, top: board.top, x, y, unit: board.width / width };
}

/** Where tiles are drawn from. */
export function pile() {
  const yard = document.querySelector("#f-yard .tile--back:last-child, #f-yard .yard__draw");
  return yard?.getClientRects().length ? { ...standing(yard), half: 18 } : null;
}

/** How many tiles the boneyard shows. */
export const left = () => /\d+/.exec(document.getElementById("f-yard")?.innerText ?? "")?.[0];

/** Points by seat; while chips fly an element keeps in data-final what it will come to. */
export const points = () => new Map(all(".seat__points").map((text) => [text.closest(".seat").dataset.seat, Number(text.dataset.final ?? text.textContent)]));

/** The tiles of a seat that lie face down. @param {string} seat */
export const backs = (seat) => all(`.seat[data-seat="${seat}"] .seat__hand > .tile--back`);

/** All that could move, as it is seen now. */
export function note() {
  const hand = new Map(all(".hand-tile").map((tile) => [tile.dataset.tile, standing(tile.querySelector(".tile"))]));
  // A tile that is dragged is at the pointer, one that was sent where its ghost is.
  for (const held of all(".flyer[data-tile]")) hand.set(held.dataset.tile, standing(held));
  for (const ghost of all(".ghost[data-sent]")) hand.set(ghost.dataset.tile, lying(ghost.querySelector(".ghost__tile")));
  const sheet = document.querySelector(".sheet:not([hidden])");
  return {
    hand,
    cloth: new Map(all("#f-cloth .board__tile").map((tile) => [tile.id, lying(tile)])),
    backs: new Map(all(".seat").map(({ dataset }) => [dataset.seat, backs(dataset.seat).map(standing)])),
    yard: pile(),
    left: left(),
    view: viewed(),
    spinner: document.querySelector(".board__spinner"),
    points: points(),
    lit: document.querySelector(".seat[data-turn]")?.getAttribute("data-seat"),
    sheet: sheet?.getAttribute("data-kind"),
  };
}
