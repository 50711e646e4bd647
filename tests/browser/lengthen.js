// A language in which everything takes two fifths more room than in English. What is no text of the page stays:
// figures, names of people, the name of the game and of the site.
() => {
  const FILLER = "uvwxyz";
  const NAMES = ".num, bdi, svg, script, style, template, .brand, .avatar, .person__name, .seat__name .clip, .seat__rating, .menu__item[lang]";
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const nodes = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) nodes.push(node);
  for (const node of nodes) {
    const text = node.data.trim();
    if (!/\p{L}{2,}/u.test(text) || text.length < 3 || text === "Spectacular Bid" || node.parentElement?.closest(NAMES)) continue;
    const more = Math.ceil(text.length * 0.4);
    const letters = FILLER.repeat(Math.ceil(more / FILLER.length));
    // One word grows, a sentence gets more words.
    const filler = /\s/.test(text) ? ` ${letters.match(/.{1,6}/g)?.join(" ")}`.slice(0, more) : letters.slice(0, more);
    node.data = node.data.trimEnd() + filler;
  }
}
