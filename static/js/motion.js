// @ts-check
// A tile that was just laid lands; chips fly from the payer to the receiver. Nothing moves unless something happened.

const LAND_MS = 260;
const CHIP_MS = 620;
const CHIP_STEP_MS = 90;
const CHIPS_MS = 1_600;
const CHIP_VALUE = 5;

let laid = newest();
let balances = points();

/** The id of the tile laid last. */
function newest() {
  return document.getElementById("f-cloth")?.dataset.last ?? "";
}

/** What each seat holds, by seat. @returns {Map<string, number>} */
function points() {
  const seats = Array.from(document.querySelectorAll(".seat"));
  return new Map(seats.map((seat) => [/** @type {HTMLElement} */ (seat).dataset.seat ?? "", Number(seat.querySelector(".seat__points")?.textContent)]));
}

/** Plays what the newest picture brought. @param {HTMLElement} table */
export function landTile(table) {
  const tile = newest();
  const isNew = tile !== laid && tile !== "";
  laid = tile;
  const held = balances;
  balances = points();
  if (document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  if (isNew) {
    document.getElementById(tile)?.animate(
      [
        { transform: "translateY(-30px)", opacity: 0.2 },
        { transform: "translateY(0)", opacity: 1 },
      ],
      { duration: LAND_MS, easing: "cubic-bezier(.16,1,.3,1)" },
    );
  }
  for (const [seat, now] of balances) {
    const gain = now - (held.get(seat) ?? now);
    if (gain > 0) fly(table, seat, gain);
  }
}

/** Chips of five to a seat from the other. @param {HTMLElement} table @param {string} seat @param {number} gain */
function fly(table, seat, gain) {
  const model = document.getElementById("flying-chip");
  const goal = table.querySelector(`.seat[data-seat="${seat}"] .chips`)?.getBoundingClientRect();
  const start = table.querySelector(`.seat:not([data-seat="${seat}"]) .chips`)?.getBoundingClientRect();
  if (!(model instanceof HTMLTemplateElement) || !goal || !start) return;
  const box = table.getBoundingClientRect();
  const count = gain / CHIP_VALUE;
  const gap = Math.min(CHIP_STEP_MS, (CHIPS_MS - CHIP_MS) / count);
  const [x0, y0] = [start.right - box.left - 16, start.top - box.top];
  const [x1, y1] = [goal.right - box.left - 16, goal.top - box.top];
  const bow = Math.min(150, box.width / 5);
  for (let i = 0; i < count; i += 1) {
    const chip = /** @type {HTMLElement} */ (model.content.firstElementChild?.cloneNode(true));
    table.append(chip);
    const path = [0, 0.25, 0.5, 0.75, 1].map((k) => ({
      transform: `translate(${x0 + (x1 - x0) * k + Math.sin(k * Math.PI) * bow}px,${y0 + (y1 - y0) * k}px) rotate(${k * 160 + i * 25}deg)`,
    }));
    const flight = chip.animate(path, { duration: CHIP_MS, delay: i * gap, easing: "cubic-bezier(.45,.05,.3,1)", fill: "both" });
    flight.onfinish = () => chip.remove();
    flight.oncancel = () => chip.remove();
  }
}
