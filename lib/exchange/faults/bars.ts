import type { Fault } from "../faults.ts";
import type { Random } from "../market/seeded.ts";

type Bar = Record<string, unknown>;

const FIELDS = ["o", "h", "l", "c", "v", "vw", "n"];
const DAY_MS = 86_400_000;

/** The bad value of each form. "\u0001NaN" becomes a bare NaN, which is no JSON, when the text is written. */
const VALUES: Record<string, unknown> = { nan: "\u0001NaN", null: null, text: "n/a", zero: 0, huge: 1e308 };

function withBadValues(bars: Bar[], fault: Fault, random: Random): Bar[] {
  const form = fault.form ?? "nan";
  const isStruck = bars.map(() => random() < 0.2);
  // A list with nothing wrong in it would not be the fault that was asked for.
  if (!isStruck.includes(true) && bars.length > 0) isStruck[Math.floor(random() * bars.length)] = true;
  return bars.map((bar, i) => {
    if (!isStruck[i]) return bar;
    const changed = (fault.fields ?? FIELDS)
      .filter((field) => Object.hasOwn(bar, field))
      .map((field) => [field, form === "negative" ? -Math.abs(Number(bar[field])) : VALUES[form]]);
    return { ...bar, ...Object.fromEntries(changed) } as Bar;
  });
}

function withGaps(bars: Bar[], fault: Fault, random: Random): Bar[] {
  if (fault.form === "some") return bars.filter(() => random() >= (fault.share ?? 0.2));
  return bars.slice(0, -1);
}

function inDisorder(bars: Bar[], fault: Fault, nowMs: number): Bar[] {
  const last = bars.at(-1);
  if (last === undefined) return bars;
  if (fault.form === "reversed") return [...bars].reverse();
  if (fault.form === "future")
    return [...bars, { ...last, t: `${new Date(nowMs + 3 * DAY_MS).toISOString().slice(0, 19)}Z` }];
  return bars.flatMap((bar) => [bar, bar]);
}

/** Bars by symbol, a list of one symbol's bars, or the latest bar of each: spoiled in place of the true ones, as JSON text. */
export function spoiledBars(json: unknown, fault: Fault, random: Random, nowMs: number): string {
  const spoil = (bars: Bar[]): Bar[] => {
    if (fault.kind === "nan_bars") return withBadValues(bars, fault, random);
    return fault.kind === "missing_bars" ? withGaps(bars, fault, random) : inDisorder(bars, fault, nowMs);
  };
  const ofOne = (value: unknown): unknown => (Array.isArray(value) ? spoil(value as Bar[]) : value);
  const body = json as { bars?: unknown; bar?: unknown };
  const isDropped = () => fault.kind === "missing_bars" && fault.form === "symbols" && random() < (fault.share ?? 0.6);
  if (Array.isArray(body.bars)) body.bars = ofOne(body.bars);
  else if (typeof body.bars === "object" && body.bars !== null) {
    const kept = Object.entries(body.bars).filter(() => !isDropped());
    const one = (value: unknown) => (Array.isArray(value) ? ofOne(value) : spoil([value as Bar])[0]);
    const keepsAll = fault.kind === "missing_bars" && fault.form === "symbols";
    body.bars = Object.fromEntries(kept.map(([symbol, bars]) => [symbol, keepsAll ? bars : one(bars)]));
  } else if (typeof body.bar === "object" && body.bar !== null) body.bar = spoil([body.bar as Bar])[0] ?? null;
  return JSON.stringify(body).replaceAll(JSON.stringify("\u0001NaN"), "NaN");
}
