// The worker of the site. It keeps one page for when there is no connection, with the files of that page, and nothing
// else: whatever may hold a tile goes from the network to the page, past every cache.
"use strict";

const CACHE = "boneyard-" + {{ version|safe }};
const KEPT = {{ kept|safe }};
const OFFLINE = KEPT[0];

addEventListener("install", (event) => {
  const fresh = KEPT.map((address) => new Request(address, { cache: "reload", credentials: "omit" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(fresh)));
  // Pages come from the network, so no page needs the worker it was opened with.
  skipWaiting();
});

addEventListener("activate", (event) => {
  event.waitUntil(takeOver());
});

async function takeOver() {
  for (const name of await caches.keys()) {
    if (name.startsWith("boneyard-") && name !== CACHE) await caches.delete(name);
  }
  // The browser asks for the page while it still wakes this script.
  await registration.navigationPreload?.enable();
  await clients.claim();
}

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate") {
    if (request.method === "GET") event.respondWith(page(event));
    return;
  }
  const { origin, pathname, search } = new URL(request.url);
  const isKept = origin === location.origin && !search && KEPT.includes(pathname) && pathname !== OFFLINE;
  if (isKept) event.respondWith(kept(request));
});

async function page(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return (await caches.match(OFFLINE, { cacheName: CACHE, ignoreVary: true })) ?? Response.error();
  }
}

async function kept(request) {
  return (await caches.match(request, { cacheName: CACHE, ignoreVary: true })) ?? fetch(request);
}
