import { decide } from "@/lib/domain/engine/decide.ts";
import type { AccountState, HeldPosition, MarketView, Plan, SymbolView } from "@/lib/domain/engine/plan.ts";
import { exampleAccount, exampleMarket, examplePolicy, examplePosition, exampleSymbol } from "./example-market.ts";

/** The plan for one held position, in a market without a seat. */
export function planHolding(
  position: Partial<HeldPosition>,
  symbol: Partial<SymbolView> = {},
  account: Partial<AccountState> = {},
  market: Partial<MarketView> = {},
): Plan {
  const view = exampleMarket([exampleSymbol("AAA", symbol)], [], market);
  return decide(exampleAccount({ positions: [examplePosition("AAA", position)], ...account }), view, examplePolicy);
}
