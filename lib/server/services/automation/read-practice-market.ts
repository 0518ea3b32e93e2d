import type { Given } from "@/lib/contracts/endpoint.ts";
import type { practiceMarketApi } from "@/lib/contracts/practice-market.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { Context } from "../../context.ts";
import { hasMarket } from "../../providers/market-data-registry.ts";
import { practiceStatus, type PracticeStatus } from "../../providers/practice-control.ts";

export type PracticeMarket = Given<typeof practiceMarketApi.steer>["market"];

/** The clock of the practice market; a market that does not answer is no failure of the page that shows it. */
export async function readPracticeMarket(context: Context): Promise<Given<typeof practiceMarketApi.read>> {
  if (!hasMarket("PRACTICE"))
    return { market: null, isSetUp: false, absence: "There is no practice market in this installation." };
  try {
    return { market: await marketOf(context, await practiceStatus()), isSetUp: true, absence: null };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { market: null, isSetUp: true, absence: error.message };
  }
}

export async function marketOf(context: Context, status: PracticeStatus): Promise<PracticeMarket> {
  const { name, now, isOpen, speed, isPaused } = status;
  const { nextOpen } = await context.marketData("PRACTICE").clock();
  return { name, now, isOpen, nextOpen, speed, isPaused, fixed: whyFixed(status) };
}

/** Why the clock cannot be changed; null where it can. */
export function whyFixed({ isWallClock, leadUntil }: PracticeStatus): string | null {
  if (isWallClock)
    return "This market follows the wall clock: it cannot be paused, sped up or moved. Set EXCHANGE_START to a date for one that can.";
  // The engine steps the clock itself until then, and the history that it makes would have gaps.
  if (leadUntil != null)
    return "The engine still trades the past sessions of this market. Its clock can be changed once they are over.";
  return null;
}
