import { expect, it } from "vitest";
import { symbolRow } from "./symbol-rows.ts";

const rowOf = (...splits: [date: string, ratio: number][]) =>
  symbolRow(
    "AAA",
    {
      ...{ assets: new Map(), features: new Map(), momentum: new Map(), quarantine: new Map() },
      events: new Map([
        ["AAA", splits.map(([date, value]) => ({ symbol: "AAA", date, kind: "split" as const, value }))],
      ]),
      earnings: { near: null, estimates: null },
    },
    { through: "2026-11-20", session: "2026-11-23" },
  );

it.each([
  ["the last closed session", "2026-11-20", null],
  ["the Saturday between", "2026-11-21", "4"],
  ["the session", "2026-11-23", "4"],
  ["the next session", "2026-11-24", null],
])("a split of %s divides the session's prices where those of its bars are older", (_, date, splitToday) => {
  expect(rowOf([date, 4]).splitToday).toBe(splitToday);
});

it("splits of a weekend and of its Monday are one", () => {
  expect(rowOf(["2026-11-21", 4], ["2026-11-23", 0.5]).splitToday).toBe("2");
});
