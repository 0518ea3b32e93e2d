import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { besideLine, dollarsBeside, percentBeside } from "./beside-line.ts";
import { money } from "./money.ts";

describe("a value beside its line", () => {
  it.each([
    ["far from it, in its usual digits", [74.12, 80, 1, 1], ["74.1", "80.0"]],
    ["just short of it, in more", [79.97, 80, 1, 1], ["79.97", "80.0"]],
    ["just beyond it, in more", [80.004, 80, 1, 1], ["80.004", "80.0"]],
    ["on it, as it", [80, 80, 1, 1], ["80.0", "80.0"]],
    ["on a line of more digits, as it", [0.7005, 0.7005, 3, 2], ["0.701", "0.701"]],
    ["beside a line that rounds across it, with more of the line", [0.032, 0.0333, 3, 2], ["0.032", "0.033"]],
    ["by the last digit of a double", [79.99999999999999, 80, 1, 1], ["79.99999999999999", "80.0"]],
    ["beside a whole line", [4.96, 5, 1, undefined], ["4.96", "5"]],
    ["beside a line of three places", [4.96, 4.955, 1, undefined], ["5.0", "4.955"]],
    ["below zero", [-0.0004, 0, 1, 1], ["-0.0004", "0.0"]],
    ["that rounds to zero, without a sign", [-0.0004, 1, 1, 1], ["0.0", "1.0"]],
    ["that is no figure, as it is", [Number.NaN, 5, 1, 1], ["NaN", "5"]],
    ["that has no bound, as it is", [Number.POSITIVE_INFINITY, 5, 1, 1], ["Infinity", "5"]],
  ] as const)("%s", (_, [value, line, digits, lineDigits], texts) =>
    expect(besideLine(value, line, digits, lineDigits)).toEqual(texts),
  );

  it("in percent, beside one line and between two", () => {
    const print = { digits: 2, lineDigits: 1 };
    expect(percentBeside(0.10001, [0.1], print)).toEqual(["10.001 %", "10.0 %"]);
    expect(percentBeside(0.149996, [0.1, 0.15], print)).toEqual(["14.9996 %", "10.0 %", "15.0 %"]);
    expect(percentBeside(0.29, [0.29], print)).toEqual(["29.00 %", "29.0 %"]);
    expect(percentBeside(0.0811, [0.0804], { digits: 1 })).toEqual(["8.1 %", "8.04 %"]);
  });

  it("in dollars, exactly", () => {
    expect(dollarsBeside(money("5998.68"), 8000)).toEqual(["$5,998.68", "$8,000.00"]);
    expect(dollarsBeside(money("99.998"), 100)).toEqual(["$99.998", "$100.00"]);
    expect(dollarsBeside(money("1234567.004"), money("1234567.0044"))).toEqual(["$1,234,567.0040", "$1,234,567.0044"]);
    expect(dollarsBeside(money("-0.005"), money("-0.006"))).toEqual(["-$0.005", "-$0.01"]);
  });
});

/** Values and lines near each other, at every distance that doubles have. */
const near = fc
  .tuple(
    fc.oneof(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.integer({ min: -1000, max: 1000 })),
    fc.integer({ min: -12, max: 3 }),
    fc.integer({ min: -20, max: 20 }),
  )
  .map(([line, exponent, steps]): [number, number] => [line + steps * 10 ** exponent, line]);
const apart = fc.tuple(
  fc.double({ noNaN: true, min: -1e9, max: 1e9 }),
  fc.double({ noNaN: true, min: -1e9, max: 1e9 }),
);
const pair = fc.oneof(near, apart);
const digits = fc.integer({ min: 0, max: 4 });

const side = (a: number | string, b: number | string) => Math.sign(money(a).cmp(b));
/** The number that a text reads. */
const read = (text: string) => text.replace(/[$,%\s]/g, "");

describe("the printed value stands of the printed line as the value of the line, and on it only where it is on it", () => {
  it("as a ratio, whatever digits are usual for either", () => {
    fc.assert(
      fc.property(pair, digits, fc.option(digits, { nil: undefined }), ([value, line], own, ofLine) => {
        const [is, needed] = besideLine(value, line, own, ofLine);
        expect(side(is, needed)).toBe(side(value, line));
        // And it is that value: rounded, to the digits that it shows.
        const shown = is.split(".")[1]?.length ?? 0;
        expect(shown).toBeGreaterThanOrEqual(own);
        expect(money(is).minus(value).abs().times(2).lte(`1e-${shown}`)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it("in usual digits wherever those say so", () => {
    fc.assert(
      fc.property(pair, digits, ([value, line], own) => {
        const usual = [value, line].map((one) => money(one).toDecimalPlaces(own, "half-up")) as [never, never];
        const saysSo = side(usual[0], usual[1]) === side(value, line);
        const texts = besideLine(value, line, own, own);
        expect(texts.every((text) => (text.split(".")[1]?.length ?? 0) === own)).toBe(saysSo);
      }),
      { numRuns: 2000 },
    );
  });

  it("in percent, of two lines at once", () => {
    fc.assert(
      fc.property(near, fc.double({ min: -2, max: 2, noNaN: true }), ([value, line], other) => {
        const [is, ...lines] = percentBeside(value, [line, other], { digits: 2, lineDigits: 1 });
        expect(lines.map((text) => side(read(is), read(text)))).toEqual([side(value, line), side(value, other)]);
      }),
    );
  });

  it("in dollars", () => {
    fc.assert(
      fc.property(pair, ([value, line]) => {
        const [is, needed] = dollarsBeside(value, line);
        expect(side(read(is), read(needed))).toBe(side(value, line));
      }),
    );
  });
});
