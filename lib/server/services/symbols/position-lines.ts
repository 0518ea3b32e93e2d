import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { portfolioApi } from "@/lib/contracts/portfolio.ts";
import { barsBetween } from "@/lib/domain/bars/pack.ts";
import { adjustForSplits } from "@/lib/domain/screening/adjust.ts";
import { inBasisOf } from "@/lib/domain/symbol-price.ts";
import { addDays, newYork, type SessionDate } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { accountsOfEnvironment } from "../../core/accounts-of-environment.ts";
import { marketOf } from "../../core/market-of.ts";
import { barsOfSymbols, type SymbolBars } from "./symbol-bars.ts";

/** What each open position's symbol closed at since it was opened, in the split basis of the account's latest reading. */
export async function readPositionLines(
  context: Context<"user">,
  { environment: wanted }: Received<typeof portfolioApi.positionLines>,
): Promise<Given<typeof portfolioApi.positionLines>> {
  const { accounts, environment, environments } = await accountsOfEnvironment(context, wanted);
  const positions = await context.db.position.findMany({
    where: { accountId: { in: accounts.map(({ id }) => id) } },
    select: {
      ...{ accountId: true, symbol: true, openedAt: true },
      account: { select: { figures: { select: { asOf: true } } } },
    },
    orderBy: [{ accountId: "asc" }, { symbol: "asc" }],
  });
  const scope = { environment, environments };
  if (positions.length === 0) return { ...scope, lines: [] };
  const symbols = [...new Set(positions.map(({ symbol }) => symbol))];
  const stored = await barsOfSymbols(context, marketOf({ accounts }), symbols);
  const lines = positions.map(({ accountId, symbol, openedAt, account }) => {
    const bars = stored.get(symbol);
    const readOn = newYork(account.figures?.asOf ?? openedAt).date;
    return { accountId, symbol, closes: bars ? closesOf(bars, newYork(openedAt).date, readOn) : [] };
  });
  return { ...scope, lines };
}

/** Closes from one session to the one before another, in the split basis of the latter. */
function closesOf({ bars, events }: SymbolBars, from: SessionDate, readOn: SessionDate): number[] {
  const inBasis = inBasisOf(adjustForSplits(bars, events), events, readOn);
  return [...barsBetween(inBasis, from, addDays(readOn, -1)).close];
}
