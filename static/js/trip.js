// @ts-check
// How long a message takes to the server and back, as the pings measure it: a figure, a word and a colour.

import { live } from "./socket.js";

const FAIR_MS = 150;
const SLOW_MS = 400;

const trip = document.getElementById("trip");

live.addEventListener("time", (event) => {
  const { trip: ms } = /** @type {CustomEvent} */ (event).detail;
  if (!trip || !Number.isFinite(ms)) return;
  trip.dataset.level = ms < FAIR_MS ? "good" : ms < SLOW_MS ? "fair" : "slow";
  trip.textContent = (trip.dataset[trip.dataset.level] ?? "").replace("{ms}", String(Math.round(ms)));
  trip.hidden = false;
});

// An old figure would say nothing about a connection that is gone.
for (const name of ["lost", "polling", "full"]) live.addEventListener(name, () => trip?.toggleAttribute("hidden", true));
