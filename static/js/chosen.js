// @ts-check
// What was chosen on the page of the settings since this page was asked for: it is taken on as soon as somebody looks. The
// table is loaded anew for that, and stands as it stood.

import { savedAt } from "./saved.js";

const askedAt = Date.now() - performance.now();

addEventListener("storage", takeOn);
document.addEventListener("visibilitychange", takeOn);
takeOn();

function takeOn() {
  const saved = savedAt();
  // A time still to come is that of a clock that was set back.
  if (!document.hidden && saved > askedAt && saved <= Date.now()) location.reload();
}
