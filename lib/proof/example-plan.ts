import { decide } from "@/lib/domain/engine/decide.ts";
import type {
  AccountState,
  CandidateVerdict,
  HeldPosition,
  MarketView,
  Plan,
  SeatView,
  SymbolView,
} from "@/lib/domain/engine/plan.ts";
import {
  exampleAccount,
  exampleMarket,
  examplePolicy,
  examplePosition,
  exampleSeat,
  exampleSymbol,
} from "./example-market.ts";

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

/** What is different from the example: for the account, the market or its one candidate. */
export interface ExampleChange {
  account?: Partial<AccountState>;
  preferences?: Partial<AccountState["preferences"]>;
  market?: Partial<MarketView>;
  symbol?: Partial<SymbolView>;
  seat?: Partial<SeatView>;
  /** More symbols that the market knows. */
  others?: SymbolView[];
}

/** The verdict on the example candidate after a change. */
export function exampleVerdict(change: ExampleChange): CandidateVerdict {
  const { account, preferences, market, symbol, seat, others = [] } = change;
  const base = exampleAccount(account);
  const state = { ...base, preferences: { ...base.preferences, ...preferences } };
  const view = exampleMarket([exampleSymbol("AAA", symbol), ...others], [exampleSeat("AAA", seat)], market);
  return decide(state, view, examplePolicy).candidates[0]!;
}
