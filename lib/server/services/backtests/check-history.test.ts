import { expect, it } from "vitest";
import type { MarketName } from "@/lib/domain/enums.ts";
import { sessionsBetween } from "@/lib/domain/market-calendar.ts";
import type { DailyBar } from "../../providers/market-data.ts";
import { createHistoryCheck } from "./check-history.ts";

const SESSIONS = sessionsBetween("2020-01-02", "2020-01-31");
const rows = (): DailyBar[] =>
  SESSIONS.map((session) => ({ session, open: 100, high: 101, low: 99, close: 100, volume: 5_000 }));
const sound = () =>
  new Map([
    ["AAA", rows()],
    ["SPY", rows()],
  ]);

function checkHistory(market: MarketName, bars: ReadonlyMap<string, DailyBar[]>, vixDays: number): void {
  const check = createHistoryCheck(market);
  for (const [symbol, rows] of bars) check.add(symbol, rows);
  check.end(vixDays);
}

it("a sound history is traded", () => {
  expect(() => checkHistory("PRACTICE", sound(), 20)).not.toThrow();
});

it.each<[string, (bars: Map<string, DailyBar[]>) => number | void, string]>([
  [
    "a price that is no number",
    (bars) => void (bars.get("AAA")![3]!.open = Number.NaN),
    'The history of the practice market breaks the rule "prices and volumes are numbers" in 1 case: AAA 2020-01-07: NaN 101 99 100 5000.',
  ],
  [
    "a price below nothing",
    (bars) => void (bars.get("AAA")![3]!.low = -99),
    'The history of the practice market breaks the rule "prices are above 0" in 1 case: AAA 2020-01-07: 100 101 -99 100 5000.',
  ],
  [
    "a high below the close",
    (bars) => void (bars.get("AAA")![3]!.high = 99.5),
    'The history of the practice market breaks the rule "low ≤ open, close ≤ high" in 1 case: AAA 2020-01-07: 100 99.5 99 100 5000.',
  ],
  [
    "a day that comes twice",
    (bars) => void bars.get("AAA")!.splice(3, 0, bars.get("AAA")![3]!),
    'The history of the practice market breaks the rule "no row comes twice" in 1 case: AAA 2020-01-07.',
  ],
  [
    "days out of order",
    (bars) => void bars.get("AAA")!.push(bars.get("AAA")!.shift()!),
    'The history of the practice market breaks the rule "rows are sorted" in 1 case: AAA 2020-01-02 after 2020-01-31.',
  ],
  [
    "a Sunday",
    (bars) => void (bars.get("AAA")![1]!.session = "2020-01-05"),
    'The history of the practice market breaks the rule "bars lie on sessions of the exchange" in 1 case: 2020-01-05.',
  ],
  [
    "no index",
    (bars) => void bars.delete("SPY"),
    "The history of the practice market has no bars of SPY, from which the regime and the benchmark are made.",
  ],
  ["no VIX", () => 0, "The history of the practice market has no values of the VIX, which the regime is read from."],
  ["no bars", (bars) => bars.clear(), "The history of the practice market holds no bars."],
])("%s is refused with one sentence", (_, spoil, sentence) => {
  const bars = sound();
  const vixDays = spoil(bars) ?? 20;
  let said: string[] = [];
  try {
    checkHistory("PRACTICE", bars, vixDays);
  } catch (error) {
    said = (error as Error).message.split(/(?<=\.) (?=The )/);
  }
  expect(said).toContain(sentence);
});
