import type { SideName } from "./enums.ts";
import type { SessionDate } from "./time.ts";

/** Changes from buying to selling one symbol within one session: the rule of day trades. `fills` are in order of execution. */
export function dayTradesOf(fills: readonly { session: SessionDate; symbol: string; side: SideName }[]): number {
  const lastSide = new Map<string, SideName>();
  let count = 0;
  for (const { session, symbol, side } of fills) {
    const key = `${session} ${symbol}`;
    if (side === "SELL" && lastSide.get(key) === "BUY") count++;
    lastSide.set(key, side);
  }
  return count;
}
