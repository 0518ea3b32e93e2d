import type { automationApi } from "@/lib/contracts/automation.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { Context } from "../../context.ts";
import { practiceStatus } from "../../providers/practice-control.ts";
import { accountsOfEnvironment } from "../../core/accounts-of-environment.ts";
import { marketOf } from "../../core/market-of.ts";

/** The clock of the market of one environment, with the speed at which it runs. */
export async function readMarket(
  context: Context<"user">,
  { environment }: Received<typeof automationApi.market>,
): Promise<Given<typeof automationApi.market>> {
  const market = marketOf(await accountsOfEnvironment(context, environment));
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
