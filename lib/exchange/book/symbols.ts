import type { ExchangeState } from "./state.ts";
import { unprocessable } from "./refusal.ts";
import type { SymbolState } from "./types.ts";

/** What the broker says about a symbol at the moment. */
export function symbolState(state: ExchangeState, symbol: string): SymbolState {
  return (
    state.symbolStates.get(symbol) ?? {
      symbol,
      isHalted: false,
      status: "active",
      tradable: true,
      fractionable: true,
      marginable: true,
      shortable: true,
      easyToBorrow: true,
    }
  );
}

/**
 * Changes what the broker says about a symbol, until it is changed again. A halt stops executions only: the
 * asset stays tradable, orders are taken and wait.
 */
export function setSymbolState(
  state: ExchangeState,
  symbol: string,
  change: Partial<Omit<SymbolState, "symbol">>,
): SymbolState {
  if (!state.market.assets.has(symbol)) throw unprocessable(`asset "${symbol}" not found`);
  const listing = { ...symbolState(state, symbol), ...change };
  state.symbolStates.set(symbol, listing);
  state.journal.write("symbols", symbol, listing);
  return listing;
}

/** By hand, or by the market itself: now, or in a minute of the session that may be over. */
export function isHalted(state: ExchangeState, symbol: string, minute?: number): boolean {
  return (state.symbolStates.get(symbol)?.isHalted ?? false) || state.view.halt(symbol, minute) !== undefined;
}
