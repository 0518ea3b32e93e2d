import { expect, it } from "vitest";
import type { Context } from "../../context.ts";
import { loadBars } from "./load-bars.ts";

it("a turn whose time ends among the symbols that are known leaves them waiting: the night is not done", async () => {
  const symbols = ["AAA", "BBB", "CCC"];
  const db = {
    $queryRaw: () => Promise.resolve(symbols.map((symbol) => ({ symbol, through: new Date("2026-11-23") }))),
    barHistory: { upsert: () => Promise.resolve() },
  };
  const context = { db, now: () => new Date(), log: { info: () => undefined } } as unknown as Context;
  expect(await loadBars(context, { market: "US", symbols, through: "2026-11-24", mostMs: 0 })).toBe(3);
});
