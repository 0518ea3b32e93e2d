import { describe, expect, it } from "vitest";
import type { OrderPurpose } from "../engine/plan.ts";
import { cycleText } from "./cycle-text.ts";

const purposes = (...of: OrderPurpose[]) => of.map((purpose) => ({ purpose }));

it.each([
  [
    "10:05: 503 screened, 50 seated, 7 signals, 0 orders: 4 regime, 3 earnings",
    [],
    "Looked at 503 stocks: 50 in the Top-50, 7 would buy, none ordered. 4 stocks wait for a calmer market. 3 stocks wait because of their earnings reports.",
  ],
  ["10:05: 1,503 screened, 50 seated", [], "10:05: 1,503 screened, 50 seated"],
  [
    "10:05: 1503 screened, 50 seated, 0 signals, 0 orders",
    [],
    "Looked at 1,503 stocks: 50 in the Top-50, none would buy.",
  ],
  [
    "10:05: 1 screened, 1 seated, 1 signal, 1 order",
    purposes("ENTRY"),
    "Looked at 1 stock: 1 in the Top-50, 1 would buy, 1 ordered.",
  ],
  [
    "10:05: 503 screened, 50 seated, 9 signals, 1 order: 3 regime, 2 sector, 1 already held or in flight, 1 earnings",
    purposes("ENTRY"),
    expect.stringMatching(
      /^Looked at 503 stocks: 50 in the Top-50, 9 would buy, 1 ordered\. .*\. The decision names 1 more reason\.$/,
    ),
  ],
] as const)("%s is described in plain words", (line, orders, text) => {
  expect(cycleText(line, orders)).toEqual(text);
});

describe("sales and protective orders are not told as purchases", () => {
  const looked = "Looked at 503 stocks: 50 in the Top-50";
  const lineOf = (signals: number, orders: number) =>
    `10:05: 503 screened, 50 seated, ${signals} ${signals === 1 ? "signal" : "signals"}, ${orders} ${orders === 1 ? "order" : "orders"}`;

  it.each([
    [1, purposes("TRIM", "TRIM"), `${looked}, 1 would buy, none ordered. 2 sales ordered.`],
    [0, purposes("EXIT"), `${looked}, none would buy. 1 sale ordered.`],
    [0, purposes("FLATTEN", "PROTECT"), `${looked}, none would buy. 1 sale ordered. 1 protective order placed.`],
    [3, purposes("EXIT", "ENTRY", "ENTRY"), `${looked}, 3 would buy, 2 ordered. 1 sale ordered.`],
  ])("%i that would buy and %j", (signals, orders, text) => {
    expect(cycleText(lineOf(signals, orders.length), orders)).toBe(text);
  });

  it("where only the line is known, orders are counted and not named", () => {
    expect(cycleText(lineOf(1, 2), null)).toBe(`${looked}, 1 would buy, 2 orders in all.`);
    expect(cycleText(lineOf(0, 1), null)).toBe(`${looked}, none would buy, 1 order in all.`);
    expect(cycleText(lineOf(1, 0), null)).toBe(`${looked}, 1 would buy, none ordered.`);
  });
});
