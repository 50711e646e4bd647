// @ts-check
// A frame leaves out what the page has already: in its place is an empty element with the same id.

/** Whether every piece that was left out is there; each goes where it belongs. @param {Element} shown @param {ParentNode} fresh */
export function putBack(shown, fresh) {
  return Array.from(fresh.querySelectorAll("[data-kept]")).every((empty) => {
    const piece = shown.querySelector(`#${CSS.escape(empty.id)}`);
    // What has the focus would lose it on its way.
    if (piece) empty.replaceWith(piece.contains(document.activeElement) ? piece.cloneNode(true) : piece);
    return piece !== null;
  });
}
