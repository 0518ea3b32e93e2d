import { expect, it } from "vitest";
import { GATE_CODES, GATE_OF, type GateCode } from "../gates/gates.ts";
import { hasGroupWords, reasonGroups, reasonGroupText, reasonTexts } from "./reason-groups.ts";

it.each(GATE_CODES.map((code) => [code] as const))("%s has words of its own, for one stock and for several", (code) => {
  expect(hasGroupWords(code)).toBe(true);
  const [one, several] = [reasonGroupText(code, 1), reasonGroupText(code, 26)];
  expect(one).toMatch(/^1 stock [a-z]/);
  expect(several).toMatch(/^26 stocks [a-z]/);
  // No word of the inside, none that names a rule by its label alone.
  for (const text of [one, several]) expect(text).not.toMatch(/regime|conviction|gate|signal|cycle|seat|latch|“/);
});

it("no two gates are told alike", () => {
  expect(new Set(GATE_CODES.map((code) => reasonGroupText(code, 2))).size).toBe(GATE_CODES.length);
});

it.each([
  // The market may be nervous or falling, or SPY stand below its 200-day average in a calm one.
  ["regime", 26, "26 stocks wait for a calmer market"],
  ["regime", 1, "1 stock waits for a calmer market"],
  // The confidence may be too low, or too few of the scores behind a high one.
  ["conviction", 1, "1 stock does not reach the scores that a purchase takes"],
  ["conviction", 3, "3 stocks do not reach the scores that a purchase takes"],
  // The order may be too small or too costly, its cost not known without a bid and an ask, or its stop above its limit.
  ["size", 1, "1 stock allows no sensible order now"],
  ["size", 3, "3 stocks allow no sensible order now"],
  ["earnings_blackout", 1, "1 stock waits because of its earnings report"],
  ["cooldown", 2, "2 stocks rest after a sale or a refused order"],
  ["duplicate", 1204, "1,204 stocks are already yours or on order"],
] as const)("%s of %i stocks", (code, count, text) => expect(reasonGroupText(code, count)).toBe(text));

it("a gate that is not told here is named by its label", () => {
  const code = "moonlight" as GateCode;
  GATE_OF[code] = { ...GATE_OF.regime, label: "moonlight" };
  expect(reasonGroupText(code, 1)).toBe("1 stock waits for “moonlight” to clear");
  delete (GATE_OF as Partial<typeof GATE_OF>)[code];
});

it("what stops the whole account is said of it, not of stocks", () => {
  expect(
    reasonTexts({
      refusals: [
        { code: "regime", count: 26 },
        { code: "automation_off", count: null },
      ],
    }),
  ).toEqual(["26 stocks wait for a calmer market", "Nothing is bought: it waits for the automation to run again"]);
});

it("stocks are grouped by their first reason, the most first; every stock that was not bought stands in one group", () => {
  const looked = (symbol: string, hasSignal: boolean, ...failing: GateCode[]) => ({ symbol, hasSignal, failing });
  expect(
    reasonGroups([
      looked("A", true, "sector"),
      looked("B", true, "regime", "sector"),
      looked("C", false),
      looked("D", true),
      looked("E", true, "regime"),
    ]),
  ).toEqual([
    { code: "regime", text: "2 stocks wait for a calmer market", symbols: ["B", "E"] },
    { code: "sector", text: "1 stock waits because enough of its sector is held", symbols: ["A"] },
    { code: null, text: "1 stock gives no reason to buy now", symbols: ["C"] },
  ]);
});
