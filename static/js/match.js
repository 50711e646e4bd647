// @ts-check
// The table page: all its modules.

import "./quiet.js";
import "./clock.js";
import "./announce.js";
import "./table.js";
import "./keys.js";
import "./explain.js";
import "./trip.js";
import "./rules.js";
import "./turn.js";
import "./chosen.js";
import { live } from "./socket.js";

// An opponent was found: the lobby has led here. Sounded once.
const FOUND = "found-match";
if (sessionStorage.getItem(FOUND) === location.pathname) {
  sessionStorage.removeItem(FOUND);
  import("./sound.js").then(({ playUnasked }) => playUnasked("found")).catch(() => {});
}

// What moves and is dragged comes when somebody is there or something happens, what sounds after an input (before it a
// browser would not let it): the table is seen and played without them. So it is where they do not come, as when the
// site has another version by then.
const moving = () => Promise.allSettled([import("./motion.js"), import("./drag.js")]);
const sounding = () => import("./hearing.js").catch(() => {});
const once = { once: true, capture: true };

live.addEventListener("swapping", moving, once);
for (const type of ["pointermove", "pointerdown", "keydown"]) addEventListener(type, moving, once);
for (const type of ["pointerdown", "keydown"]) addEventListener(type, sounding, once);
