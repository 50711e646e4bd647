// What must hold for every page however it is drawn: nothing is cut off, too small, out of sight or one over another.
// Evaluated in the page; gives one line for each fault. `isTable`: a table never scrolls as a whole.
(isTable) => {
  const faults = [];
  const MIN_TEXT = 12;
  const TAP = 44;
  // Pictures that happen to hold letters, and the labels of the bar that DESIGN.md 16 has smaller.
  const SMALL_TEXT = ".avatar, .tabs__link, .clock__ring, .flying-chip, .kit__type";
  // May be smaller than a finger (DESIGN.md 15): rows have 8 px around their buttons.
  const SMALLER_TARGETS = { ".segments__item": [24, 38], ".log__row": [24, 32], ".contents__link": [40, 40], ".person": [24, 24], "td .button, li .button": [40, 40], ".figures a.pill": [24, 23] };
  // Many tiles, and the hand that is only looked at beside the list of moves.
  const MANY_TILES = { ".tray[data-many] .hand-tile": [24, 48], "[data-move-list] .hand-tile": [24, 48], "html:not(.js) .hand-tile": [24, 48] };
  const CONTROLS = "button, a[href], summary, input:not([type=hidden]), select, textarea";
  // What may lie over other things; of a page that scrolls the bars above and below too.
  const COVERS = (isTable ? "" : ".top, .tabs, ") + ".sheet, .auction, .panel, .menu__list, .resign__card, .curtain, dialog, .toast, .banner, .sound, .help__text";
  // A button that lies at the end of a field.
  const IN_FIELD = ".field__show";

  const name = (element) => {
    const label = element.id ? `#${element.id}` : `.${String(element.getAttribute("class") ?? "").split(" ")[0]}`;
    const text = (element.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 40);
    return `${element.tagName.toLowerCase()}${label} "${text}"`;
  };
  const round = (box) => `${Math.round(box.left)},${Math.round(box.top)} ${Math.round(box.width)}×${Math.round(box.height)}`;
  const isShown = (element) => {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true })) return false;
    return !element.closest(".visually-hidden, .defs, .skip-link:not(:focus)");
  };
  const meet = (one, other, by = 1) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > by && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > by;
  const lies = (inner, outer, by = 1) =>
    inner.left >= outer.left - by && inner.right <= outer.right + by && inner.top >= outer.top - by && inner.bottom <= outer.bottom + by;
  const scrolls = (element) => /auto|scroll/.test(getComputedStyle(element).overflowX + getComputedStyle(element).overflowY);
  const parents = function* (element) {
    for (let at = element.parentElement; at; at = at.parentElement) yield at;
  };
  const floats = (element) => [element, ...parents(element)].some((at) => /fixed|sticky/.test(getComputedStyle(at).position));
  const scroller = (element) => [...parents(element)].find((at) => scrolls(at) && at !== document.documentElement && at !== document.body);
  // What is seen of a thing that may be scrolled away in part.
  const seen = (element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const by = scroller(element)?.getBoundingClientRect() ?? { left, top, right, bottom };
    return { left: Math.max(left, by.left), top: Math.max(top, by.top), right: Math.min(right, by.right), bottom: Math.min(bottom, by.bottom) };
  };
  const saysAll = (element) => [element, ...parents(element)].slice(0, 4).some((at) => at.title || at.getAttribute("aria-label"));

  const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const wide = document.scrollingElement.scrollWidth - innerWidth;
  if (wide > 0) faults.push(`page: ${wide} px wider than the screen`);
  const high = document.scrollingElement.scrollHeight - innerHeight;
  if (isTable && high > 0) faults.push(`page: ${high} px higher than the screen`);

  // Text: large enough, not cut.
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!element || !node.data.trim() || element.closest("script, style, template, svg, option") || !isShown(element)) continue;
    const style = getComputedStyle(element);
    if (parseFloat(style.fontSize) < MIN_TEXT && !element.closest(SMALL_TEXT)) faults.push(`text: ${style.fontSize} in ${name(element)}`);
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (!box.width) continue;
    for (const at of [element, ...parents(element)]) {
      if (scrolls(at) || at === document.body) break;
      const { overflowX, textOverflow } = getComputedStyle(at);
      if (overflowX === "visible") continue;
      const outer = at.getBoundingClientRect();
      if (outer.width <= 1 && outer.height <= 1) break; // for those who listen
      if (textOverflow === "ellipsis") {
        if (at.scrollWidth > at.clientWidth + 1 && !saysAll(at)) faults.push(`cut: ${name(at)} is shortened and says the whole nowhere`);
        break;
      }
      if (!lies(box, outer, 2)) faults.push(`cut: ${name(element)} ${round(box)} by ${name(at).slice(0, 30)} ${round(outer)}`);
    }
    const control = element.closest(".button, .pill, .tag, .hand-tile, .clock");
    if (control && !element.closest(".clip") && !lies(box, control.getBoundingClientRect(), control.matches(".hand-tile") ? 40 : 1)) {
      faults.push(`cut: ${name(element)} ${round(box)} runs out of ${name(control).slice(0, 30)} ${round(control.getBoundingClientRect())}`);
    }
  }

  // Controls: large enough, on the screen, none over another.
  const hit = [];
  for (const control of document.querySelectorAll(CONTROLS)) {
    if (!isShown(control)) continue;
    const box = control.getBoundingClientRect();
    if (!box.width) continue;
    const isInline = control.matches("a") && getComputedStyle(control).display === "inline";
    const isLabelled = control.matches("input[type=checkbox], input[type=radio]");
    const smaller = Object.entries({ ...SMALLER_TARGETS, ...MANY_TILES }).find(([selector]) => control.matches(selector));
    const [width, height] = smaller ? smaller[1] : [TAP, TAP];
    if (!isInline && !isLabelled && (box.width < width - 0.5 || box.height < height - 0.5)) faults.push(`target: ${name(control)} has ${round(box)}`);
    const inside = scroller(control);
    const scrollBox = inside?.getBoundingClientRect();
    if (isTable && !inside && !lies(box, screen)) faults.push(`outside: ${name(control)} at ${round(box)}`);
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) continue;
    if (scrollBox && (y < scrollBox.top + 1 || y > scrollBox.bottom - 1 || x < scrollBox.left || x > scrollBox.right)) continue;
    const top = document.elementFromPoint(x, y);
    if (!top || control === top || control.contains(top) || top.contains(control) || top.closest("label")?.contains(control)) hit.push(control);
    else if (control.hasAttribute("disabled") || getComputedStyle(control).pointerEvents === "none") continue;
    else if (!top.closest(COVERS) || top.closest(COVERS).contains(control)) faults.push(`covered: ${name(control)} by ${name(top)}`);
  }
  const boxes = hit.filter((control) => getComputedStyle(control).display !== "inline").map((control) => [control, control.getBoundingClientRect()]);
  boxes.forEach(([one, box], number) => {
    for (const [other, otherBox] of boxes.slice(number + 1)) {
      if (other.matches(IN_FIELD) && one.parentElement === other.parentElement) continue;
      if (!one.contains(other) && !other.contains(one) && scroller(one) === scroller(other) && meet(box, otherBox) && (isTable || floats(one) === floats(other))) {
        faults.push(`overlap: ${name(one)} ${round(box)} and ${name(other)} ${round(otherBox)}`);
      }
    }
  });

  // The table: its parts lie side by side, and there is a way to the log and what stands with it.
  const shown = (selector) => [...document.querySelectorAll(selector)].filter(isShown);
  const apart = [
    [".prompt", ".sum__line, .yard"],
    ...["#f-opponent", "#f-me"].flatMap((seat) => [
      [`${seat} .seat__name, ${seat} .seat__bank`, `${seat} .seat__hand > .tile, ${seat} .tray, ${seat} .clock, ${seat} .seat__away`],
      [`${seat} .seat__hand > .tile, ${seat} .tray`, `${seat} .clock, ${seat} .seat__away`],
    ]),
  ];
  for (const [ones, others] of apart) {
    for (const one of shown(ones)) {
      for (const other of shown(others)) {
        if (!meet(seen(one), seen(other), 2)) continue;
        faults.push(`overlap: ${name(one)} ${round(one.getBoundingClientRect())} and ${name(other)} ${round(other.getBoundingClientRect())}`);
      }
    }
  }
  if (isTable && !shown('#panel, [data-action="panel"]').length) faults.push("panel: no way to it");

  // The cloth: everything on it lies inside, under no seat and no label.
  const cloth = document.getElementById("f-cloth");
  if (cloth && isShown(cloth)) {
    const outer = document.getElementById("felt").getBoundingClientRect();
    const seats = ["#f-opponent", "#f-opponent .seat__hand", "#f-me", "#f-sum", "#f-yard", ".seat__away"];
    const edges = seats.flatMap((selector) => [...document.querySelectorAll(selector)]).filter(isShown);
    const drawn = [...cloth.querySelectorAll('[id^="t-"], .badge, .ghost[data-shown] :is(circle, text)')].filter(isShown);
    for (const piece of drawn) {
      const box = piece.getBoundingClientRect();
      if (!box.width) continue;
      if (!lies(box, outer)) faults.push(`cloth: ${name(piece)} ${round(box)} outside of ${round(outer)}`);
      for (const edge of edges) {
        if (meet(box, edge.getBoundingClientRect(), 2)) faults.push(`cloth: ${name(piece)} ${round(box)} under ${name(edge).slice(0, 40)} ${round(edge.getBoundingClientRect())}`);
      }
    }
    // Where a circle is hit: its line counts although it is not seen.
    const reach = (circle) => {
      const { pointerEvents, strokeWidth } = getComputedStyle(circle);
      const { left, top, right, bottom } = circle.getBoundingClientRect();
      const by = pointerEvents === "all" ? parseFloat(strokeWidth) / 2 : 0;
      return { left: left - by, top: top - by, right: right + by, bottom: bottom + by, width: right - left + 2 * by, height: bottom - top + 2 * by };
    };
    const circles = [...cloth.querySelectorAll(".ghost[data-shown]")].map((ghost) =>
      [...ghost.querySelectorAll("circle")].filter(isShown).map(reach).sort((one, other) => other.width - one.width)[0],
    );
    circles.forEach((box, number) => {
      if (!box) return;
      if (box.width < TAP - 1) faults.push(`target: a place has ${round(box)}`);
      for (const other of circles.slice(number + 1)) {
        const apart = other && Math.hypot((box.left + box.right - other.left - other.right) / 2, (box.top + box.bottom - other.top - other.bottom) / 2);
        if (apart !== undefined && apart < TAP - 1) faults.push(`overlap: two places only ${Math.round(apart)} px apart`);
      }
    });
  }
  return [...new Set(faults)];
}
