// @ts-check
// When settings were last saved in this browser, by its clock in ms, so that its other pages know.

const STORED = "boneyard-settings";
let own = 0;

/** 0 where this page did it itself, which looks so already. */
export function savedAt() {
  try {
    const saved = Number(localStorage.getItem(STORED));
    return saved === own ? 0 : saved;
  } catch {
    return 0;
  }
}

export function noteSaved() {
  own = Date.now();
  try {
    localStorage.setItem(STORED, String(own));
  } catch {
    // A browser that stores nothing shows it when a page is loaded.
  }
}
