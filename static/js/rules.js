// @ts-check
// The rules beside a running match: a sheet that is loaded when it is first asked for, with the clocks in its head.

import { format, timesLeft } from "./clock.js";
import { markContents } from "./contents.js";
import { focusFirst } from "./focus.js";

const FRAME_MS = 100;

const htmx = /** @type {any} */ (window).htmx;
const sheet = /** @type {HTMLDialogElement | null} */ (document.getElementById("rules-sheet"));
const body = document.getElementById("rules-sheet-body");
const news = /** @type {HTMLElement | null} */ (sheet?.querySelector('[role="status"]') ?? null);

let opener = /** @type {HTMLElement | null} */ (null);

document.addEventListener("click", (event) => {
  const link = /** @type {HTMLAnchorElement | null} */ (/** @type {Element} */ (event.target).closest?.("a[href]"));
  if (!link || !sheet || link.pathname !== sheet.dataset.page || sheet.contains(link)) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  opener = link;
  open(sheet);
});

/** @param {HTMLDialogElement} dialog */
function open(dialog) {
  dialog.showModal();
  document.getElementById("rules-sheet-title")?.focus();
  if (news) news.textContent = "";
  drawClocks();
  if (!body?.childElementCount) load(dialog);
}

/** @param {HTMLDialogElement} dialog */
async function load(dialog) {
  const failed = /** @type {HTMLElement} */ (dialog.querySelector(".rules-sheet__failed"));
  failed.hidden = true;
  body?.setAttribute("aria-busy", "true");
  try {
    await htmx.ajax("GET", dialog.dataset.source, { target: body });
  } catch {
    // Said below, as for an answer that was none.
  }
  body?.removeAttribute("aria-busy");
  failed.hidden = Boolean(body?.childElementCount);
  if (body?.childElementCount) markContents(dialog, body);
}

// The keys of the table are not meant while this is open; Escape closes it, which is the browser's own.
sheet?.addEventListener("keydown", (event) => event.stopPropagation());

sheet?.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target);
  // Beside the sheet lies what darkens the table; it belongs to the dialog.
  if (target === sheet && event.detail) sheet.close();
  const anchor = /** @type {HTMLAnchorElement | null} */ (target.closest('a[href^="#"]'));
  if (!anchor) return;
  event.preventDefault();
  const heading = /** @type {HTMLElement | null} */ (sheet.querySelector(anchor.hash));
  heading?.setAttribute("tabindex", "-1");
  heading?.focus({ preventScroll: true });
  heading?.scrollIntoView();
});

// The link may have been drawn afresh meanwhile, so the browser would not find it.
sheet?.addEventListener("close", () => {
  focusFirst([opener, document.getElementById("rules-link")]);
});

// What is read out at the table cannot be heard from under a modal sheet, so it is said in its head, too.
for (const id of ["polite", "assertive"]) {
  const region = document.getElementById(id);
  if (region) new MutationObserver(() => sheet?.open && news && (news.textContent = region.textContent)).observe(region, { childList: true, characterData: true, subtree: true });
}

function drawClocks() {
  if (!sheet?.open) return;
  window.setTimeout(drawClocks, FRAME_MS);
  const { seats, turn } = timesLeft();
  const state = /** @type {HTMLElement} */ (sheet.querySelector(".rules-sheet__state"));
  setText(state, (turn === null ? state.dataset.stands : state.dataset.runs) ?? "");
  sheet.toggleAttribute("data-runs", turn !== null);
  for (const clock of sheet.querySelectorAll("[data-reads]")) {
    const time = seats[Number(/** @type {HTMLElement} */ (clock).dataset.reads)];
    if (!time) continue;
    clock.toggleAttribute("data-turn", time.runs);
    // As in "7 + 2:00": the delay goes first.
    setText(clock.querySelector(".rules-sheet__time"), `${time.delay ? `${Math.ceil(time.delay / 1000)} + ` : ""}${format(time.bank)}`);
  }
}

/** @param {Element | null} element @param {string} text */
function setText(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}
