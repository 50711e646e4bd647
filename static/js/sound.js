// @ts-check
// Sounds of the table: dry, short, wooden, made here and now. Loaded after the first input, since before it no browser
// lets a page sound.

const STORED = "boneyard-sound";
const ATTACK_S = 0.004;
const LET_MS = 3_000; // a browser that has not begun by then waits for an input

/** @typedef {{mode: string, volume: number}} Wishes "on", "low" (only when time is short) or "off"; per cent */

const table = document.getElementById("table");
let context = /** @type {AudioContext | null} */ (null);
let out = /** @type {GainNode | null} */ (null);
let hiss = /** @type {AudioBuffer | null} */ (null);

/** What is to be heard: as chosen in this browser, else as the account has it. @returns {Wishes} */
export function wishes() {
  const { sound = "on", volume = "60" } = table?.dataset ?? {};
  try {
    return { mode: sound, volume: Number(volume), ...JSON.parse(localStorage.getItem(STORED) ?? "{}") };
  } catch {
    return { mode: sound, volume: Number(volume) };
  }
}

/** @param {Partial<Wishes>} change */
export function wish(change) {
  const wanted = { ...wishes(), ...change };
  try {
    localStorage.setItem(STORED, JSON.stringify(wanted));
  } catch {
    // A browser that stores nothing forgets it with the page.
  }
  if (out) out.gain.value = loudness(wanted);
}

// The ear hears steps of equal ratio as equal.
/** @param {Wishes} wanted */
const loudness = ({ mode, volume }) => (mode === "off" ? 0 : (volume / 100) ** 2);

/** @type {Record<string, (start: number, step: number) => void>} */
const SOUNDS = {
  tile: (at) => (noise(at, 60, 0.5, 1500), tone(at, 60, 0.5, 210, 150)),
  double: (at) => (noise(at, 70, 0.5, 1000), tone(at, 75, 0.6, 140, 95)),
  // Rises a semitone a chip, to the fifth.
  chip: (at, step) => (noise(at, 25, 0.16, 4200), tone(at, 45, 0.16, 1500 * 2 ** (Math.min(step, 4) / 12), 0, "triangle")),
  turn: (at) => notes(at, 0.14, 130, [587, 784]),
  draw: (at) => noise(at, 150, 0.2, 900, 2600),
  pass: (at) => (noise(at, 50, 0.2, 300), tone(at, 60, 0.25, 115)),
  tick: (at) => tone(at, 22, 0.16, 1150, 0, "square"),
  bid: (at) => (noise(at, 50, 0.35, 800), tone(at, 80, 0.5, 260, 200)),
  found: (at) => notes(at, 0.2, 140, [523, 659, 784]),
  won: (at) => notes(at, 0.2, 150, [523, 784, 1047]),
  lost: (at) => notes(at, 0.2, 170, [523, 415, 349]),
};

/** Sounds something, `later` in ms, the `step`th of its kind. @param {string} name @param {number} [later] @param {number} [step] */
export function play(name, later = 0, step = 0) {
  const wanted = wishes();
  if (!loudness(wanted) || (wanted.mode === "low" && name !== "tick")) return;
  if (!context || !out) {
    context = new AudioContext();
    out = new GainNode(context, { gain: loudness(wanted) });
    out.connect(context.destination);
  }
  if (context.state === "suspended") context.resume().catch(() => {});
  SOUNDS[name](context.currentTime + later / 1000 + ATTACK_S, step);
}

/** Sounds something before the first input, where the browser lets it because of an input on the page before; else never.
 * @param {string} name */
export async function playUnasked(name) {
  if (!loudness(wishes())) return;
  const probe = new AudioContext();
  await Promise.race([
    new Promise((resolve) => probe.addEventListener("statechange", resolve, { once: true })),
    new Promise((resolve) => setTimeout(resolve, LET_MS)),
  ]);
  const isLet = probe.state === "running";
  probe.close();
  if (isLet) play(name);
}

/** @param {number} start @param {number} loud @param {number} gap ms @param {number[]} pitches */
function notes(start, loud, gap, pitches) {
  pitches.forEach((pitch, number) => tone(start + (number * gap) / 1000, 220, loud, pitch));
}

/** @param {number} start s @param {number} ms @param {number} loud @param {number} pitch Hz @param {number} [end] Hz @param {OscillatorType} [type] */
function tone(start, ms, loud, pitch, end = 0, type = "sine") {
  if (!context) return;
  const source = new OscillatorNode(context, { type, frequency: pitch });
  if (end) source.frequency.exponentialRampToValueAtTime(end, start + ms / 1000);
  shape(source, source, start, ms, loud);
}

/** @param {number} start s @param {number} ms @param {number} loud @param {number} pitch Hz @param {number} [end] Hz */
function noise(start, ms, loud, pitch, end = 0) {
  if (!context) return;
  if (!hiss) {
    hiss = new AudioBuffer({ length: context.sampleRate / 4, sampleRate: context.sampleRate });
    const samples = hiss.getChannelData(0);
    for (let i = 0; i < samples.length; i += 1) samples[i] = Math.random() * 2 - 1;
  }
  const source = new AudioBufferSourceNode(context, { buffer: hiss });
  const band = new BiquadFilterNode(context, { type: "bandpass", frequency: pitch, Q: 1.2 });
  if (end) band.frequency.exponentialRampToValueAtTime(end, start + ms / 1000);
  source.connect(band);
  shape(source, band, start, ms, loud);
}

/** Comes at once and dies away. @param {AudioScheduledSourceNode} source @param {AudioNode} last @param {number} start @param {number} ms @param {number} loud */
function shape(source, last, start, ms, loud) {
  if (!context || !out) return;
  const end = start + ms / 1000;
  const envelope = new GainNode(context, { gain: 0 });
  envelope.gain.setValueAtTime(0, start);
  envelope.gain.linearRampToValueAtTime(loud, start + ATTACK_S);
  envelope.gain.exponentialRampToValueAtTime(0.001, end);
  last.connect(envelope).connect(out);
  source.start(start);
  source.stop(end);
}
