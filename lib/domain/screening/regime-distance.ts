import type { RegimeView } from "../engine/plan.ts";
import type { RegimeLabel } from "../enums.ts";
import type { Policy } from "../policy.ts";
import { bandLines, labelOf, type RegimeMemory, votesOf } from "./regime.ts";

/** What a close has to bring for another label to be asked for; both at once where both are given, nothing where neither is. */
export interface RegimeWay {
  /** USD that SPY has to close above, by the averages of now. */
  spyAbove: number | null;
  /** Level that the VIX has to close below. */
  vixBelow: number | null;
}

export interface RegimeDistance {
  /** Each is enough, and none of them asks for more than another. */
  ways: RegimeWay[];
  /** Sessions from the memory's own one to the first in which the label can be in force. */
  sessions: number;
  /** Closes running that have to ask for it. */
  closes: number;
}

/** Just beyond a line, whichever side the rule counts the line itself to. */
const BEYOND = 1e-9;

type Levels = Pick<RegimeView, "vix" | "spyClose" | "spyMa20" | "spyMa50">;

/**
 * How far the market is from one of these labels, by the rules of the machine (regime.ts): a day's fall is taken not to come
 * again. Null where the label is in force, or where the VIX, SPY or its average is not known: then no level is the answer.
 */
export function regimeDistance(
  { view, ...memory }: RegimeMemory,
  wanted: readonly RegimeLabel[],
  policy: Policy,
): RegimeDistance | null {
  const { vix, spyClose, spyMa20, spyMa50 } = view;
  if (vix === null || spyClose === null || spyMa20 === null || spyMa50 === null) return null;
  if (wanted.includes(view.label) || wanted.includes(memory.label)) return null;
  const { regime_closes: closes } = policy.signals_confidence;
  const counted = wanted.includes(memory.candidate) ? memory.closes : 0;
  return {
    ways: waysTo({ vix, spyClose, spyMa20, spyMa50 }, wanted, policy),
    sessions: Math.max(1, memory.dwellLeft + 1, closes - counted),
    closes: Math.max(1, closes - counted),
  };
}

/** The levels at which a close asks for one of these labels. USD and points; empty where no level does. */
export function waysTo(
  now: { [K in keyof Levels]: NonNullable<Levels[K]> },
  wanted: readonly RegimeLabel[],
  policy: Policy,
): RegimeWay[] {
  const asks = ({ spyAbove, vixBelow }: RegimeWay) => {
    const supposed = {
      ...now,
      spyClose: spyAbove === null ? now.spyClose : spyAbove * (1 + BEYOND),
      vix: vixBelow === null ? now.vix : vixBelow * (1 - BEYOND),
      spyDayReturn: null,
    };
    return wanted.includes(labelOf(votesOf(supposed, policy), policy));
  };
  const { regime_band: band, regime_vix_calm, regime_vix_fear, regime_vix_shock } = policy.signals_confidence;
  const closes = [now.spyMa20, now.spyMa50]
    .flatMap((average) => bandLines(average, band).map((line) => line.toNumber()))
    .filter((level) => level >= now.spyClose)
    .sort((a, b) => a - b);
  const fears = [regime_vix_shock, regime_vix_fear, regime_vix_calm].filter((level) => level <= now.vix);
  const ways: RegimeWay[] = [];
  // The calmer the VIX, the less SPY has to rise: each step down is a way of its own only where it spares a rise.
  for (const vixBelow of [null, ...fears]) {
    const spyAbove = [null, ...closes].find((level) => asks({ spyAbove: level, vixBelow }));
    if (spyAbove === undefined) continue;
    const last = ways.at(-1);
    if (last === undefined || (spyAbove ?? 0) < (last.spyAbove ?? 0)) ways.push({ spyAbove, vixBelow });
  }
  return ways;
}
