// @ts-check
// The settings: each is saved by htmx as soon as it is changed. Here the page takes on what was chosen, and says so when
// it could not be kept. Where htmx does not come, the button that saves them all stays.

import { noteSaved } from "./saved.js";

const form = /** @type {HTMLFormElement} */ (document.querySelector(".settings"));
const root = document.documentElement;
const dark = matchMedia("(prefers-color-scheme: dark)");
const volume = /** @type {HTMLInputElement} */ (form.querySelector('[name="volume"]'));

if ("htmx" in window) form.setAttribute("data-live", "");

/** What a setting changes on the page: the attribute of the root, and the value that needs none. */
const LOOKS = /** @type {Record<string, [string, string]>} */ ({
  tiles: ["tiles", "ivory"],
  coloured_pips: ["pips", ""],
  motion: ["motion", "auto"],
});

form.addEventListener("change", (event) => {
  const { name, value, type, checked } = /** @type {HTMLInputElement} */ (event.target);
  if (name === "theme") root.dataset.theme = value === "auto" ? (dark.matches ? "dark" : "light") : value;
  if (!LOOKS[name]) return;
  const [attribute, usual] = LOOKS[name];
  const wanted = type === "checkbox" ? (checked ? "coloured" : "") : value;
  if (wanted === usual) delete root.dataset[attribute];
  else root.dataset[attribute] = wanted;
});

// The button of the header has saved it already.
document.addEventListener("click", (event) => {
  if (!(/** @type {Element} */ (event.target).closest('[data-action="theme"]'))) return;
  const chosen = form.querySelector(`[name="theme"][value="${root.dataset.theme}"]`);
  /** @type {HTMLInputElement} */ (chosen).checked = true;
});

for (const failed of ["htmx:sendError", "htmx:responseError", "htmx:timeout"]) {
  form.addEventListener(failed, (event) => {
    const place = /** @type {Element} */ (event.target).closest(".setting")?.querySelector(".setting__saved");
    const note = Object.assign(document.createElement("span"), { className: "saved saved--not" });
    note.textContent = form.dataset.failed ?? "";
    place?.replaceChildren(note);
  });
}

// Tables that are open beside it take it on (chosen.js). An answer that loads this page anew, as after a change of the
// language, is not called successful by htmx: its status says so.
form.addEventListener("htmx:afterRequest", (event) => {
  const { status } = /** @type {CustomEvent} */ (event).detail.xhr;
  if (status >= 200 && status < 300) noteSaved();
});

// What was saved before says so no longer.
form.addEventListener("htmx:beforeRequest", () => {
  for (const place of form.querySelectorAll(".setting__saved")) place.replaceChildren();
});

function showVolume() {
  volume.setAttribute("aria-valuetext", `${volume.value} %`);
}

volume.addEventListener("input", showVolume);
showVolume();
