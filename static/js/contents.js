// @ts-check
// A list of contents marks the part of the page that is being read.

/** @param {ParentNode} root  what holds the list and the parts @param {Element | null} [scroller]  what scrolls, else the page */
export function markContents(root, scroller = null) {
  const links = /** @type {HTMLAnchorElement[]} */ (Array.from(root.querySelectorAll("[data-contents] a")));
  const parts = links.map((link) => root.querySelector(link.hash)?.closest("section"));
  const inView = new Set();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) isIntersecting ? inView.add(target) : inView.delete(target);
      mark(links, parts.findIndex((part) => inView.has(part)));
    },
    // A part is being read when it crosses a line in the upper third.
    { root: scroller, rootMargin: "-30% 0px -69%" },
  );
  for (const part of parts) if (part) observer.observe(part);
  if (links.length) mark(links, 0); // until one crosses it: what comes first
}

/** @param {HTMLAnchorElement[]} links @param {number} current */
function mark(links, current) {
  if (current < 0 || links[current].hasAttribute("aria-current")) return;
  for (const link of links) link.removeAttribute("aria-current");
  const link = links[current];
  link.setAttribute("aria-current", "true");
  // On a phone the list is one line that scrolls by itself.
  const list = /** @type {HTMLElement} */ (link.parentElement);
  if (list.scrollWidth > list.clientWidth) list.scrollLeft += link.getBoundingClientRect().left - list.getBoundingClientRect().left - list.clientWidth / 3;
}

if (document.querySelector("main [data-contents]")) markContents(document);
