import { describe, expect, it } from "vitest";
import { money } from "../money.ts";
import { mayBeOtherShares, splitBetween } from "./other-shares.ts";
import { BOOKS_READ_MS } from "./settings.ts";

describe("a level of the books where the broker holds another number of shares", () => {
  const ours = { qty: "10", avgEntryPrice: "100" };
  const waits = (theirs: { qty: string; avgEntryPrice: string }, isSale: boolean, bareMs: number) =>
    mayBeOtherShares({ ours, theirs, split: splitBetween(ours, theirs, null), isSale, bareMs });
  const [early, late] = [BOOKS_READ_MS - 1, BOOKS_READ_MS];

  it("is believed at once where the numbers agree, whatever the shares cost there", () => {
    for (const isSale of [true, false]) expect(waits({ qty: "10.000", avgEntryPrice: "25" }, isSale, 0)).toBe(false);
  });

  it.each([
    ["four for one", "40", "25"],
    ["three for two", "15", "66.666667"],
    ["twenty-one for twenty", "10.5", "95.238095"],
    ["one for ten", "1", "1000"],
  ])(
    "sells nothing after a split of %s, and places a stop once the books should have been read",
    (_, qty, avgEntryPrice) => {
      expect(waits({ qty, avgEntryPrice }, true, early)).toBe(true);
      expect(waits({ qty, avgEntryPrice }, true, late)).toBe(true);
      expect(waits({ qty, avgEntryPrice }, false, early)).toBe(true);
      expect(waits({ qty, avgEntryPrice }, false, late)).toBe(false);
    },
  );

  it.each([
    ["sold in part", "6", "100"],
    ["sold to a small part", "9.6", "100"],
    ["bought beside", "14", "102"],
  ])(
    "of shares that were %s holds for a stop at once, and for a sale once the books should have been read",
    (_, qty, avgEntryPrice) => {
      expect(waits({ qty, avgEntryPrice }, false, 0)).toBe(false);
      expect(waits({ qty, avgEntryPrice }, true, early)).toBe(true);
      expect(waits({ qty, avgEntryPrice }, true, late)).toBe(false);
    },
  );

  it("is of shares before a split that was announced, however the broker averages what they cost and rounds them", () => {
    const announced = money("4");
    const between = (qty: string, avgEntryPrice: string) =>
      splitBetween(ours, { qty, avgEntryPrice }, announced)?.toFixed() ?? null;
    expect(between("40", "28.125")).toBe("4");
    expect(splitBetween({ ...ours, qty: "10.3" }, { qty: "41", avgEntryPrice: "28" }, announced)?.toFixed()).toBe("4");
    expect(between("30", "28.125")).toBe(null);
    expect(between("10", "100")).toBe(null);
  });

  it.each([
    ["40", "25", "4"],
    ["1", "1000", "0.1"],
    ["14", "102", undefined],
  ])("%s shares at %s in the place of ours are a split of %s where none was announced", (qty, avgEntryPrice, ratio) => {
    expect(splitBetween(ours, { qty, avgEntryPrice }, null)?.toFixed()).toBe(ratio);
  });
});
