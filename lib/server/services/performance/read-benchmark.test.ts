import { expect, it } from "vitest";
import type { Context } from "../../context.ts";
import type { SnapshotRow } from "../../providers/market-data.ts";
import { readBenchmarkPrice } from "./read-benchmark.ts";

const contextOf = (snapshots: () => Promise<Map<string, SnapshotRow>>) => ({
  now: () => new Date("2026-11-22T12:00:00Z"),
  marketData: () => ({ snapshots }) as unknown as ReturnType<Context["marketData"]>,
});
const traded = (lastAt: string) =>
  contextOf(() =>
    Promise.resolve(new Map([["SPY", { symbol: "SPY", last: "282.5", lastAt, bid: null, ask: null, quotedAt: null }]])),
  );

it.each([
  ["of the instant", "2018-01-31T15:32:00Z", "2018-01-31T15:34:00.000Z", 282.5],
  ["too old", "2018-01-31T15:20:00Z", "2018-01-31T15:34:00.000Z", null],
  ["later than the account's own reading", "2018-01-31T15:45:00Z", "2018-01-31T15:34:00.000Z", null],
  ["of the close, in the evening", "2018-01-31T20:59:00Z", "2018-02-01T01:00:00.000Z", 282.5],
  ["of the close, on the weekend", "2018-01-31T20:59:00Z", "2018-02-03T17:00:00.000Z", 282.5],
  ["of the afternoon, in the evening", "2018-01-31T19:00:00Z", "2018-02-01T01:00:00.000Z", null],
])("a price %s", async (_, lastAt, at, price) => {
  expect(await readBenchmarkPrice(traded(lastAt), "PRACTICE", "2018-01-31", at)).toBe(price);
});

it("market data that fails or knows no price is no fault of the page", async () => {
  const at = "2018-01-31T15:34:00.000Z";
  expect(
    await readBenchmarkPrice(
      contextOf(() => Promise.reject(new Error("refused"))),
      "US",
      "2018-01-31",
      at,
    ),
  ).toBeNull();
  expect(
    await readBenchmarkPrice(
      contextOf(() => Promise.resolve(new Map())),
      "US",
      "2018-01-31",
      at,
    ),
  ).toBeNull();
});
