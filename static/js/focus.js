// @ts-check
// The focus is never lost when fragments are replaced: it goes to the same control, or to the prompt.

/** What has the focus now, so that it can be found again. */
export function keepFocus() {
  const element = /** @type {HTMLElement} */ (document.activeElement);
  const { tile, site } = element.dataset ?? {};
  return {
    element,
    inTable: Boolean(element.closest?.("#main")),
    selector: element.id ? `[id="${element.id}"]` : element.matches?.(".ghost") ? `.ghost[data-tile="${tile}"][data-site="${site}"]` : "",
    value: element instanceof HTMLInputElement ? element.value : "",
  };
}

/** Gives the focus back after a swap. @param {ReturnType<typeof keepFocus> | null} before */
export function claimFocus(before) {
  const sheet = document.querySelector(".sheet:not([hidden]) .sheet__title");
  if (!before?.inTable || before.element.isConnected) return;
  const same = before.selector ? /** @type {HTMLElement | null} */ (document.querySelector(before.selector)) : null;
  const goal = same && isUsable(same) ? same : (sheet ?? document.getElementById("f-prompt"));
  /** @type {HTMLElement | null} */ (goal)?.focus({ preventScroll: true });
}

/** @param {HTMLElement} element */
function isUsable(element) {
  return element.getClientRects().length > 0 && !element.hasAttribute("data-sent");
}
