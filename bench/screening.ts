import { POLICY_2_9_0 } from "@/lib/domain/policy.ts";
import { computeFeatures } from "@/lib/domain/screening/compute-features.ts";
import { screenMarket } from "@/lib/domain/screening/screen-market.ts";
import { generatedBars } from "./generated-bars.ts";
import { measure, type Timing } from "./timing.ts";

export interface ScreeningBench {
  features: Timing;
  /** Features, filters, scores and seats together. */
  whole: Timing;
  eligible: number;
}

/** One session's screening of `symbols` × `length` bars that lie in memory. */
export function benchScreening(symbols: number, length: number, rounds: number): ScreeningBench {
  const bars = generatedBars(symbols, length, 5);
  let eligible = 0;
  const features = () => computeFeatures(bars, () => []);
  const screen = () => {
    const universe = features().map((row, i) => ({
      symbol: bars[i]!.symbol,
      name: bars[i]!.symbol,
      sector: `Sector ${i % 11}`,
      isTradable: true,
      isHalted: false,
      quarantine: null,
      features: row,
      spreadBps: null,
      lastPrice: row?.close ?? null,
    }));
    const result = screenMarket({
      market: "PRACTICE",
      sessionDate: "2020-02-03",
      universe,
      news: [],
      previous: null,
      fastTrack: [],
      policy: POLICY_2_9_0,
    });
    eligible = result.eligibleCount;
  };
  return { features: measure(rounds, features), whole: measure(rounds, screen), eligible };
}
