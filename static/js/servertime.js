// @ts-check
// An estimate of the server's time that is never behind, so that clocks err on the short side: a message is taken to
// have been on its way as long as a whole round trip.

import { live } from "./socket.js";

const STALE_MS = 60_000;

let offset = Number.NaN; // server time minus performance.now()
let bestTrip = Infinity;
let sampledAt = 0;

live.addEventListener("time", (event) => learn(/** @type {CustomEvent} */ (event).detail));
learn({ now: Number(document.getElementById("f-seq")?.dataset.now), trip: Infinity });

/** @param {{now: number, trip: number}} sample */
function learn({ now, trip }) {
  const isMeasured = Number.isFinite(trip);
  const known = isMeasured ? trip : Number.isFinite(bestTrip) ? bestTrip : 0;
  const isStale = performance.now() - sampledAt > STALE_MS;
  // A better or newer measure replaces the estimate; a mere stamp may only show that the server is further on.
  if (isMeasured && (trip <= bestTrip || isStale)) {
    bestTrip = trip;
    sampledAt = performance.now();
    offset = now + trip - performance.now();
  } else if (!(offset >= now + known - performance.now())) {
    offset = now + known - performance.now();
  }
}

/** What the server's clock shows by now, or later. */
export const serverNow = () => performance.now() + offset;
