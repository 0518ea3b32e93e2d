import type { ExchangeState } from "./state.ts";
import { unprocessable } from "./refusal.ts";
import type { SymbolState } from "./types.ts";

/** What the broker says about a symbol at the moment. */
export function symbolState(desk: ExchangeState, symbol: string): SymbolState {
  return (
    desk.symbolStates.get(symbol) ?? {
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
  desk: ExchangeState,
  symbol: string,
  change: Partial<Omit<SymbolState, "symbol">>,
): SymbolState {
  if (!desk.market.assets.has(symbol)) throw unprocessable(`asset "${symbol}" not found`);
  const state = { ...symbolState(desk, symbol), ...change };
  desk.symbolStates.set(symbol, state);
  desk.journal.write("symbols", symbol, state);
  return state;
}

/** By hand, or by the market itself. */
export function isHalted(desk: ExchangeState, symbol: string): boolean {
  return (desk.symbolStates.get(symbol)?.isHalted ?? false) || desk.view.halt(symbol) !== undefined;
}
