import { expect, it } from "vitest";
import type { BarSeries } from "@/lib/domain/screening/features.ts";
import { addDays } from "@/lib/domain/time.ts";
import { db } from "../db.ts";
import { readPacks, readStoredBars, writePacks } from "./bar-packs.ts";

const THROUGH = "2020-06-30";

function walk(symbol: string, length: number, level: number): BarSeries {
  const dates = Array.from({ length }, (_, i) => addDays(THROUGH, i + 1 - length));
  const cents = (shift: number) =>
    Float64Array.from(dates, (_, i) => Number((level + shift + (i % 17) / 100).toFixed(2)));
  return {
    symbol,
    dates,
    open: cents(0),
    high: cents(2),
    low: cents(-2),
    close: cents(1),
    volume: cents(1000).map(Math.round),
  };
}

async function allOf(symbols?: string[]) {
  const found = new Map<string, BarSeries | null>();
  for await (const { symbol, bars } of readPacks("US", symbols)) found.set(symbol, structuredClone(bars));
  return found;
}

const MANY = Array.from({ length: 300 }, (_, i) => walk(`S${i}`, 1 + ((i * 37) % 570), 10 + i));

it("what is read are the bars that were written, all of a market or some, and a symbol without bars is there, too", async () => {
  await writePacks(db(), "US", THROUGH, MANY);
  await writePacks(db(), "US", THROUGH, [walk("NONE", 0, 1)]);
  await writePacks(db(), "PRACTICE", THROUGH, [walk("S1", 3, 500)]);
  const all = await allOf();
  expect(all).toEqual(new Map([...MANY, walk("NONE", 0, 1)].map((bars) => [bars.symbol, bars])));
  expect([...(await allOf(["S7", "O'HARE", "S9"])).keys()].sort()).toEqual(["S7", "S9"]);
  expect((await allOf([])).size).toBe(0);

  const stored = await readStoredBars("US", {
    from: addDays(THROUGH, -5),
    to: addDays(THROUGH, -1),
    symbols: ["S5", "S0"],
  });
  expect(stored.get("S5")?.dates).toEqual([5, 4, 3, 2, 1].map((day) => addDays(THROUGH, -day)));
  // S0 has one bar, of the last day.
  expect([...stored.keys()]).toEqual(["S5"]);
  expect((await readStoredBars("PRACTICE", { from: "2020-01-01", to: THROUGH })).get("S1")).toEqual(walk("S1", 3, 500));
});

it("a reader that stops early leaves no connection behind", async () => {
  for await (const { symbol } of readPacks("US")) if (symbol !== "") break;
  const connections = async () => {
    const [{ count } = { count: -1n }] = await db().$queryRaw<{ count: bigint }[]>`
      select count(*) from pg_stat_activity where application_name = 'bar-packs' and datname = current_database()`;
    return Number(count);
  };
  // The server ends a connection a moment after its client has left.
  await expect.poll(connections).toBe(0);
});

it("rows that are truncated, changed, of another symbol or another market are no bars", async () => {
  await writePacks(db(), "US", THROUGH, MANY.slice(0, 6));
  const update = async (symbol: string, sql: string) =>
    await db().$executeRawUnsafe(
      `update "BarPack" set "columns" = ${sql} where "market" = 'US' and "symbol" = '${symbol}'`,
    );
  await update("S1", `substring("columns" from 1 for 100)`);
  await update("S2", `set_byte("columns", 60, get_byte("columns", 60) # 1)`);
  await update("S3", `(select "columns" from "BarPack" where "market" = 'US' and "symbol" = 'S4')`);
  await update("S0", `'\\x'`);
  await db()
    .$executeRaw`update "BarPack" set "columns" = (select "columns" from "BarPack" where "market" = 'PRACTICE') where "market" = 'US' and "symbol" = 'S5'`;
  const read = await allOf(["S0", "S1", "S2", "S3", "S4", "S5"]);
  expect([...read].flatMap(([symbol, bars]) => (bars === null ? [symbol] : [])).sort()).toEqual([
    "S0",
    "S1",
    "S2",
    "S3",
    "S5",
  ]);
  expect((await readStoredBars("US", { from: "2018-01-01", to: THROUGH, symbols: ["S3", "S4"] })).has("S3")).toBe(
    false,
  );
});
