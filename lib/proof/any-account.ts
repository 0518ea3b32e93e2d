import fc from "fast-check";
import type { AccountState } from "@/lib/domain/engine/plan.ts";
import { exampleAccount, examplePosition } from "./example-market.ts";

/** Accounts with more and less to spend, held positions among the symbols, limits and switches that stop entries. Only tests import it. */
export const anyAccount = (symbols: readonly string[]): fc.Arbitrary<AccountState> =>
  fc
    .record({
      buyingPower: fc.constantFrom("0", "1000", "20000", "100000"),
      killState: fc.constantFrom("NONE" as const, "REDUCE_ONLY" as const),
      automationOff: fc.constantFrom(null, "paused"),
      lastEquity: fc.constantFrom("100000", "200000"),
      held: fc.subarray([...symbols]),
      maxPositions: fc.integer({ min: 0, max: 5 }),
      maxPositionValue: fc.constantFrom("50", "500", "8000"),
    })
    .map(({ held, maxPositions, maxPositionValue, ...change }) => {
      const state = exampleAccount({ ...change, positions: held.map((symbol) => examplePosition(symbol)) });
      return { ...state, preferences: { ...state.preferences, maxPositions, maxPositionValue } };
    });
