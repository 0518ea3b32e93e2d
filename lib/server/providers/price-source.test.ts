import { expect, it } from "vitest";
import { Failure } from "@/lib/domain/failures.ts";
import { MINUTE_MS } from "@/lib/domain/time.ts";
import { askOneByOne } from "./price-source.ts";

const told = (symbol: string) => ({ price: "1", previousClose: null, at: null, day: symbol });

function sourceOf(ask: (symbol: string) => Promise<ReturnType<typeof told> | null>, more: object = {}) {
  const asked: string[] = [];
  const clock = { now: 1_000_000_000_000 };
  const source = askOneByOne({
    vendor: "Finnhub",
    figures: ["CLOSE"],
    ask: (symbol) => {
      asked.push(symbol);
      return ask(symbol);
    },
    windows: [{ most: 3, ms: MINUTE_MS }],
    freshMs: MINUTE_MS,
    atOnce: 1,
    now: () => clock.now,
    ...more,
  });
  return { source, asked, clock };
}
const down = () => Promise.reject(new Failure("unavailable", "down"));

it("it keeps to the plan's rate, continues where it ended, and answers what it holds meanwhile", async () => {
  const { source, asked, clock } = sourceOf((symbol) => Promise.resolve(told(symbol)));
  const symbols = ["A", "B", "C", "D", "E"];
  expect([...(await source.prices(symbols)).keys()]).toEqual(["A", "B", "C"]);
  expect([...(await source.prices(symbols)).keys()]).toEqual(["A", "B", "C"]);
  clock.now += MINUTE_MS;
  expect([...(await source.prices(symbols)).keys()]).toEqual(symbols);
  expect(asked).toEqual(["A", "B", "C", "D", "E", "A"]);
});

it("what is new is not asked for again, but is where the clock was set back", async () => {
  const { source, asked, clock } = sourceOf((symbol) => Promise.resolve(told(symbol)));
  await source.prices(["A", "A"]);
  clock.now += MINUTE_MS - 1;
  await source.prices(["A"]);
  expect(asked).toEqual(["A"]);
  clock.now -= 2 * MINUTE_MS;
  await source.prices(["A"]);
  expect(asked).toEqual(["A", "A"]);
});

it("one symbol that fails costs itself alone; three in a row end the asking; where none answers, it throws", async () => {
  const one = sourceOf((symbol) => (symbol === "B" ? down() : Promise.resolve(told(symbol))));
  expect([...(await one.source.prices(["A", "B", "C"])).keys()]).toEqual(["A", "C"]);
  const all = sourceOf(down, { windows: [{ most: 50, ms: MINUTE_MS }] });
  await expect(all.source.prices(["A", "B", "C", "D"])).rejects.toThrow("down");
  expect(all.asked).toEqual(["A", "B", "C"]);
});

it("no call is begun when the look has waited long enough", async () => {
  const { source, asked } = sourceOf((symbol) => Promise.resolve(told(symbol)), { withinMs: 0 });
  expect((await source.prices(["A"])).size).toBe(0);
  expect(asked).toEqual([]);
});
