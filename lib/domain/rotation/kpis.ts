import type { TripOutcome } from "../enums.ts";
import { type Money, sum } from "../money.ts";
import { winRate } from "../metrics.ts";
import type { KpiSnapshot } from "./proposal.ts";

/** A closed round trip, as far as the snapshot asks. */
export interface KpiTrip {
  pnl: Money;
  outcome: TripOutcome;
  exitReason: string | null;
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((total, value) => total + value, 0) / values.length;
}

/** How the closed round trips did. `slippagesBps` are those of the fills of the same time. */
export function kpiSnapshot(trips: readonly KpiTrip[], slippagesBps: readonly number[]): KpiSnapshot {
  const of = (outcome: TripOutcome) => trips.filter((trip) => trip.outcome === outcome).map(({ pnl }) => pnl);
  const [wins, losses] = [of("WIN"), of("LOSS")];
  const avgWinToLoss =
    wins.length === 0 || losses.length === 0
      ? null
      : sum(wins).div(wins.length).div(sum(losses).div(losses.length).abs()).toNumber();
  const slippageBps = meanOf(slippagesBps);
  return {
    avgWinToLoss,
    hitRate: winRate(trips.map(({ outcome }) => outcome)),
    timeStopRate:
      trips.length === 0 ? null : trips.filter(({ exitReason }) => exitReason === "time_stop").length / trips.length,
    slippagePct: slippageBps === null ? null : slippageBps / 100,
  };
}
