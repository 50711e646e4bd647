// @ts-check
// The table page: all its modules.

import "./quiet.js";
import "./socket.js";
import "./clock.js";
import "./announce.js";
import "./table.js";
import "./keys.js";
import "./explain.js";
import "./rules.js";
