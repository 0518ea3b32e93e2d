import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { filled, piecesOf, skeletonOf } from "./figures.ts";

describe("a text's skeleton", () => {
  it.each([
    [
      "Bought 29 shares of HD at $199.78 on Tue 18 Feb 2020 10:05 ET.",
      "Bought {1.number_a} shares of {1.symbol_b} at {1.amount_c} on {1.date_d} {1.time_e}.",
    ],
    ["KO closed with -$12.30 (-1.00%).", "{1.symbol_a} closed with {1.fall_b} ({1.fall_c})."],
    ["It turns over 6.0% of the equity.", "It turns over {1.share_a} of the equity."],
    [
      "HD was number 3 of the Top-50; SPY under its SMA200.",
      "{1.symbol_a} was number {1.number_b} of the Top-50; SPY under its SMA200.",
    ],
    ["The automation was off. Reason: a rest.\nUntil “May”.", "The automation was off. Reason: {1.name_a}."],
    ["Account “Rent, 2 rooms” is paused. Reason: call me at 555.", "Account {1.name_a} is paused. Reason: {1.name_b}."],
  ])("of %s has no digit, no symbol and nothing that a person wrote", (text, skeleton) => {
    const { text: found, figures } = skeletonOf(text, 1);
    expect(found).toBe(skeleton);
    expect(filled(found, figures)).toBe(text);
  });

  it("is whole again when it is filled, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), (text) => {
        expect(
          piecesOf(text)
            .map((piece) => ("words" in piece ? piece.words : piece.text))
            .join(""),
        ).toBe(text);
      }),
      { numRuns: 60 },
    );
  });

  it.each(["{1.amount_z}", "{2.amount_a}", "{constructor}", "{__proto__}", "{1.amount_a", "1.amount_a}", "{}"])(
    "keeps %s as it is: no figure has that place",
    (asked) => expect(filled(`It is ${asked}.`, new Map([["{1.amount_a}", "$1.00"]]))).toBe(`It is ${asked}.`),
  );

  it("names its places a … z, aa …", () => {
    const keys = [...skeletonOf(Array.from({ length: 30 }, () => "7").join(" x "), 4).figures.keys()];
    expect([keys[0], keys[25], keys[26], keys[29]]).toEqual([
      "{4.number_a}",
      "{4.number_z}",
      "{4.number_aa}",
      "{4.number_ad}",
    ]);
    expect(new Set(keys).size).toBe(30);
  });
});

it.each([
  ["A round trip in A closed.", "A round trip in {1.symbol_a} closed."],
  ["A stands best and T weakest.", "{1.symbol_a} stands best and {1.symbol_b} weakest."],
  ["The order to buy A was rejected.", "The order to buy {1.symbol_a} was rejected."],
])("an “A” is the symbol wherever no round trip is told of: %s", (text, skeleton) =>
  expect(skeletonOf(text, 1).text).toBe(skeleton),
);
