import { expect, it } from "vitest";
import { candleMarks, type ChartLevel, factorSince, levelLines } from "./candle-chart.ts";

const SESSIONS = ["2020-02-03", "2020-02-04", "2020-02-05", "2020-02-06", "2020-02-07"];
const at = (day: number, hour = 15) => `2020-02-0${day}T${hour}:00:00.000Z`;
const stop = (price: number, from: string, to: string | null, accountId = "a"): ChartLevel => ({
  accountId,
  kind: "STOP",
  price,
  from,
  to,
});
const values = (levels: ChartLevel[]) =>
  levelLines(levels, SESSIONS, []).map(({ points }) =>
    points.map(({ session, value }) => `${session.slice(-1)} ${value}`),
  );

it("a raised stop is one line that steps on the session of the raise", () => {
  expect(values([stop(105, at(5), null), stop(100, at(3), at(5))])).toEqual([
    ["3 100", "4 100", "5 105", "6 105", "7 105"],
  ]);
});

it("a stop that was hit ends its line, and the next holding begins another", () => {
  expect(values([stop(100, at(3), at(4)), stop(98, at(6), at(6, 18))])).toEqual([["3 100", "4 100"], ["6 98"]]);
});

it("of two stops that rest together the lower is drawn, and accounts have lines of their own", () => {
  expect(values([stop(100, at(3), null), stop(97, at(3), null)])).toEqual([["3 97", "4 97", "5 97", "6 97", "7 97"]]);
  expect(values([stop(100, at(7), null), stop(97, at(7), null, "b")])).toEqual([["7 100"], ["7 97"]]);
});

it("a level from before a split stands among the bars after it", () => {
  const splits = [{ session: "2020-02-05", ratio: 2 }];
  expect(factorSince(splits, "2020-02-04")).toBe(0.5);
  expect(factorSince(splits, "2020-02-05")).toBe(1);
  expect(levelLines([stop(100, at(3), at(4))], SESSIONS, splits)[0]?.points[0]?.value).toBe(50);
});

it("a level that rested through a split is drawn at its price of now, which the broker restated", () => {
  const splits = [{ session: "2020-02-05", ratio: 4 }];
  const drawn = (to: string | null) => levelLines([stop(24.5, at(3), to)], SESSIONS, splits)[0]?.points[0]?.value;
  expect([drawn(null), drawn(at(6)), drawn(at(5))]).toEqual([24.5, 24.5, 24.5]);
});

it("trades near each other share a mark by side; what was not filled has none", () => {
  const trade = (id: string, side: "BUY" | "SELL", day: number, filledQuantity = 5) => ({
    id,
    side,
    filledQuantity,
    averagePrice: 10,
    at: at(day),
  });
  const trades = [
    trade("1", "BUY", 3),
    trade("2", "BUY", 4),
    trade("3", "SELL", 4),
    trade("4", "BUY", 7),
    trade("5", "BUY", 6, 0),
  ];
  const ids = (stretch: number) =>
    candleMarks(trades, SESSIONS, stretch).map((mark) => `${mark.place} ${mark.trades.map(({ id }) => id).join("+")}`);
  expect(ids(1)).toEqual(["0 1", "1 2", "1 3", "4 4"]);
  expect(ids(2)).toEqual(["1 1+2", "1 3", "4 4"]);
});
