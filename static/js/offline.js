// @ts-check
// The page that is shown without a connection: picks its language and look, looks for the way back and says when.
{
  const WAITS_S = [3, 5, 10, 20, 30];
  const TRY_LIMIT_MS = 8_000;
  const LOOKS = ["tiles", "pips", "motion"];
  const root = document.documentElement;

  /** @param {string} name */
  const cookie = (name) => new RegExp(`(?:^|; )${name}=([^;]*)`).exec(document.cookie)?.[1];

  const theme = cookie("theme");
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  for (const name of LOOKS) {
    const look = cookie(name);
    if (look) root.dataset[name] = look;
  }

  let tries = 0;
  let left = 0;
  let isTrying = false;
  let when = /** @type {HTMLElement | null} */ (null);

  addEventListener("DOMContentLoaded", () => {
    show();
    wait();
    setInterval(tick, 1_000);
  });
  addEventListener("online", look);
  document.addEventListener("visibilitychange", () => document.hidden || look());

  function show() {
    const wanted = [cookie("django_language"), ...navigator.languages].map((language) => language?.split("-")[0]);
    const sections = Array.from(document.querySelectorAll("section[lang]"), (found) => /** @type {HTMLElement} */ (found));
    const language = wanted.find((wish) => sections.some((section) => section.lang === wish));
    const section = sections.find((found) => found.lang === language) ?? sections[0];
    root.lang = section.lang;
    document.title = `${section.dataset.title} · Boneyard`;
    section.dataset.shown = "";
    when = section.querySelector("[data-in]");
  }

  function wait() {
    left = WAITS_S[Math.min(tries, WAITS_S.length - 1)];
    tell();
  }

  function tick() {
    if (isTrying || document.hidden) return;
    left -= 1;
    if (left > 0) tell();
    else look();
  }

  function tell() {
    if (when) when.textContent = when.dataset.in?.replace("{seconds}", String(left)) ?? "";
  }

  // Asks for the smallest thing there is; only when that comes the page is worth another look.
  async function look() {
    if (isTrying) return;
    isTrying = true;
    if (when) when.textContent = when.dataset.now ?? "";
    try {
      const answer = await fetch("/livez", { cache: "no-store", signal: AbortSignal.timeout(TRY_LIMIT_MS) });
      if (!answer.ok) throw new Error("not yet");
      // Shown at the address that was asked for; but its own address has nothing else to show.
      if (location.pathname === "/offline/") location.replace("/");
      else location.reload();
    } catch {
      isTrying = false;
      tries += 1;
      wait();
    }
  }
}
