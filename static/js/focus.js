// @ts-check
// The focus is never lost when fragments are replaced. What has it stays where it is while everything around it is drawn
// anew, so that neither a caret nor a half-typed bid is lost, and no screen reader begins again. What is no longer there
// hands it on to the prompt, or to a sheet that has come.

import { putBack } from "./kept.js";

/** What has the focus now, so that it can be found again. */
export function keepFocus() {
  const element = /** @type {HTMLElement} */ (document.activeElement);
  return {
    element,
    inTable: Boolean(element.closest?.("#main")),
    selector: selectorOf(element),
    sheet: sheet()?.dataset.kind ?? "",
  };
}

/** Gives the focus back after a swap. @param {ReturnType<typeof keepFocus> | null} before */
export function claimFocus(before) {
  if (!before?.inTable) return;
  const shown = sheet();
  const title = /** @type {HTMLElement | null} */ (shown?.querySelector(".sheet__title") ?? null);
  const isCovered = shown !== null && shown.dataset.kind !== before.sheet && before.element.closest("#table") !== null;
  if (before.element.isConnected && !isCovered) return;
  const same = before.selector ? /** @type {HTMLElement | null} */ (document.querySelector(before.selector)) : null;
  const goal = !isCovered && same && isUsable(same) ? same : (title ?? document.getElementById("f-prompt"));
  goal?.focus({ preventScroll: true });
}

/** Gives the focus to the first of these that is seen and not under a sheet, else to the sheet or the prompt. @param {(Element | null)[]} goals */
export function focusFirst(goals) {
  const shown = sheet();
  const isFree = (/** @type {Element | null} */ goal) =>
    Boolean(goal?.getClientRects().length) && goal !== document.body && !(shown && goal?.closest("#table") && !shown.contains(goal));
  const title = shown?.querySelector(".sheet__title") ?? null;
  const found = [...goals, title, document.getElementById("f-prompt")].find(isFree);
  /** @type {HTMLElement | undefined} */ (found)?.focus({ preventScroll: true });
}

// A dialog gives the focus back to what had it before, which the table may have lost or covered meanwhile.
document.addEventListener("close", () => focusFirst([document.activeElement]), true);

/** Puts a fragment in the place of the one that is shown. @param {Element} shown @param {Element} fresh */
export function renew(shown, fresh) {
  document.adoptNode(fresh);
  const held = document.activeElement;
  const pairs = held && shown.contains(held) ? pairsTo(held, shown, fresh) : null;
  if (!pairs) {
    shown.replaceWith(fresh);
    return;
  }
  pairs.forEach(([old, now], depth) => {
    takeAttributes(old, now);
    const next = pairs[depth + 1];
    if (next) takeSiblings(old, now, ...next);
    else if (!old.matches("input, textarea")) old.replaceChildren(...now.childNodes);
  });
}

// htmx would replace the fragment as a whole.
document.addEventListener("htmx:oobBeforeSwap", (event) => {
  const { detail } = /** @type {CustomEvent} */ (event);
  if (!putBack(detail.target, detail.fragment)) document.dispatchEvent(new CustomEvent("incomplete"));
  if (!detail.target.contains(document.activeElement)) return;
  detail.shouldSwap = false;
  renew(detail.target, detail.fragment.firstElementChild ?? detail.fragment);
});

/** The sheet over the table. @returns {HTMLElement | null} */
function sheet() {
  return document.querySelector("#f-sheet:not([hidden])");
}

/** @param {HTMLElement} element */
function selectorOf(element) {
  const { tile, site } = element.dataset ?? {};
  if (element.id) return `[id="${element.id}"]`;
  return element.matches?.(".ghost") ? `.ghost[data-tile="${tile}"][data-site="${site}"]` : "";
}

/**
 * The elements from the fragment down to the one that has the focus, each with its counterpart in the fresh fragment;
 * null when there is none, or when it stands elsewhere.
 * @param {Element} held @param {Element} shown @param {Element} fresh @returns {[Element, Element][] | null}
 */
function pairsTo(held, shown, fresh) {
  const selector = selectorOf(/** @type {HTMLElement} */ (held));
  const twin = fresh.matches(selector || ":not(*)") ? fresh : selector ? fresh.querySelector(selector) : atSamePlace(held, shown, fresh);
  const pairs = /** @type {[Element, Element][]} */ ([]);
  let [old, now] = [held, twin];
  while (now && old.tagName === now.tagName) {
    pairs.unshift([old, now]);
    if (old === shown || now === fresh) return old === shown && now === fresh ? pairs : null;
    [old, now] = [/** @type {Element} */ (old.parentElement), now.parentElement];
  }
  return null;
}

/** What has no name is known by its place. @param {Element} held @param {Element} shown @param {Element} fresh @returns {Element | null} */
function atSamePlace(held, shown, fresh) {
  if (held === shown) return fresh;
  const above = held.parentElement && atSamePlace(held.parentElement, shown, fresh);
  const twin = above?.children[Array.from(held.parentElement?.children ?? []).indexOf(held)];
  if (twin?.getAttribute("class") !== held.getAttribute("class")) return null;
  // A control that does something else now is another one.
  return held.matches("a, button, summary") && twin?.textContent !== held.textContent ? null : (twin ?? null);
}

/** @param {Element} old @param {Element} now */
function takeAttributes(old, now) {
  for (const { name } of Array.from(old.attributes)) if (!now.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of now.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
}

/** All children but the one that stays. @param {Element} old @param {Element} now @param {Element} stays @param {Element} twin */
function takeSiblings(old, now, stays, twin) {
  for (const node of Array.from(old.childNodes)) if (node !== stays) node.remove();
  const nodes = Array.from(now.childNodes);
  const place = nodes.indexOf(twin);
  stays.before(...nodes.slice(0, place));
  stays.after(...nodes.slice(place + 1));
}

/** @param {HTMLElement} element */
function isUsable(element) {
  return element.getClientRects().length > 0 && !element.hasAttribute("data-sent");
}
