// @ts-check
// A socket that fails closes, and the page says so. htmx would log the bare event as an error besides.

/** @type {any} */
const htmx = /** @type {any} */ (window).htmx;

if (htmx) {
  htmx.createWebSocket = (/** @type {string} */ url) => {
    const socket = new WebSocket(url, []);
    socket.binaryType = htmx.config.wsBinaryType;
    // Added before htmx listens itself.
    socket.addEventListener("error", (event) => event.stopImmediatePropagation());
    return socket;
  };
}
