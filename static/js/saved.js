// @ts-check
// When settings were last saved in this browser, by its clock in ms, so that its other pages know.

const STORED = "boneyard-settings";

export function savedAt() {
  try {
    return Number(localStorage.getItem(STORED));
  } catch {
    return 0;
  }
}

export function noteSaved() {
  try {
    localStorage.setItem(STORED, String(Date.now()));
  } catch {
    // A browser that stores nothing shows it when a page is loaded.
  }
}
