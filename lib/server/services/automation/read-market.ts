import type { automationApi } from "@/lib/contracts/automation.ts";
import type { Given } from "@/lib/contracts/endpoint.ts";
import type { Context } from "../../context.ts";
import { practiceStatus } from "../../providers/practice-control.ts";
import { marketOfUser } from "./market-of-user.ts";

/** The clock of the user's market, with the speed at which it runs. */
export async function readMarket(context: Context): Promise<Given<typeof automationApi.market>> {
  const market = await marketOfUser(context);
  const [clock, practice] = await Promise.all([
    context.marketData(market).clock(),
    market === "PRACTICE" ? practiceStatus() : null,
  ]);
  return {
    market,
    now: clock.now,
    readAt: context.now(),
    isOpen: clock.isOpen,
    nextOpen: clock.nextOpen,
    nextClose: clock.nextClose,
    speed: practice ? (practice.isPaused ? 0 : practice.speed) : 1,
  };
}
