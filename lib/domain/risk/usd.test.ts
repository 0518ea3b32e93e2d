import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { micros, microsOf, money, priceTick, text } from "../money.ts";
import { exactText, exactUsd, isLessUsd, minusUsd, plusUsd, tickOf, usd, usdNumber, usdOf, usdText } from "./usd.ts";

/** Amounts with 0 to 9 places, from nothing to far beyond what a double counts in millionths. */
const amount = fc
  .tuple(
    fc.oneof(fc.bigInt({ min: -(10n ** 22n), max: 10n ** 22n }), fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n })),
    fc.integer({ min: 0, max: 9 }),
  )
  .map(([digits, places]) => money(`${digits}`).div(10 ** places));

describe("amounts in millionths answer as exact decimals do", () => {
  it("a count of millionths is exact, and absent where none is", () => {
    fc.assert(
      fc.property(amount, (value) => {
        const exact = value.times(1_000_000);
        const fits = exact.isInteger() && exact.abs().lte(Number.MAX_SAFE_INTEGER);
        expect(micros(value)).toBe(fits ? exact.plus(0).toNumber() || 0 : null);
        expect(exactUsd(usd(value)).eq(value)).toBe(true);
      }),
    );
    expect(micros(money("9007199254.740991"))).toBe(Number.MAX_SAFE_INTEGER);
    expect(micros(money("9007199254.740992"))).toBeNull();
    expect(micros(money("9007199254.0000001"))).toBeNull();
    expect(micros(money("-0.0000001"))).toBeNull();
  });

  it("sums, differences, comparisons, doubles and texts", () => {
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        const [x, y] = [usd(a), usd(b)];
        expect(exactUsd(plusUsd(x, y)).eq(a.plus(b))).toBe(true);
        expect(exactUsd(minusUsd(x, y)).eq(a.minus(b))).toBe(true);
        expect(isLessUsd(x, y)).toBe(a.lt(b));
        expect(usdNumber(x)).toBe(a.toNumber() || 0);
        expect(usdText(x)).toBe(a.plus(0).toFixed(2));
      }),
    );
  });

  it.each(["0.005", "0.015", "-0.005", "-0.001", "1.995", "2.5", "1234567.125"])("two places of %s", (value) =>
    expect(usdText(usd(money(value)))).toBe(money(value).toFixed(2)),
  );

  it("a price times a factor on the minimum increment", () => {
    const price = fc.integer({ min: 1, max: 90_000_000 }).map((count) => money(count).div(10_000));
    const factor = fc.integer({ min: -500_000, max: 2_000_000 }).map((count) => money(count).div(1_000_000));
    fc.assert(
      fc.property(price, factor, fc.constantFrom("down" as const, "up" as const), (p, f, direction) => {
        const tick = tickOf(usd(p), usd(f), direction);
        expect(exactUsd(tick).eq(priceTick(p.times(f), direction))).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("prices that come as doubles", () => {
  const price = fc.oneof(
    fc.integer({ min: -(10 ** 12), max: 10 ** 12 }).map((cents) => cents / 100),
    fc.integer({ min: -(10 ** 14), max: 10 ** 14 }).map((count) => count / 1e6),
    fc.double({ min: -1e12, max: 1e12, noNaN: true }),
  );

  it("are the decimal that they print as, whether or not they count in millionths", () => {
    fc.assert(
      fc.property(price, (value) => {
        const exact = money(value);
        expect(exactUsd(usdOf(value)).eq(exact)).toBe(true);
        expect(exactText(usdOf(value))).toBe(text(exact).replace(/^-0$/, "0"));
        expect([null, micros(exact)]).toContain(microsOf(value));
      }),
    );
    expect(microsOf(173.28)).toBe(173_280_000);
    expect(microsOf(0.1 + 0.2)).toBeNull();
  });
});
