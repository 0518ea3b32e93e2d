import { Decimal as Peer } from "decimal.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Decimal } from "./decimal.ts";
import { estimated, money, text } from "./money.ts";

const Exact = Peer.clone({ precision: 40, rounding: Peer.ROUND_HALF_EVEN, toExpNeg: -400, toExpPos: 400 });

/** Amounts of 0 to 12 places, from nothing to far beyond what a double counts. */
const amount = fc
  .tuple(
    fc.oneof(
      fc.bigInt({ min: -(10n ** 6n), max: 10n ** 6n }),
      fc.bigInt({ min: -(10n ** 16n), max: 10n ** 16n }),
      fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }),
    ),
    fc.integer({ min: 0, max: 12 }),
  )
  .map(([digits, places]) => new Exact(`${digits}e-${places}`).toFixed());

const plain = (value: InstanceType<typeof Exact>) => value.toFixed().replace(/^-0$/, "0");

describe("an exact decimal answers as decimal.js does with 40 digits", () => {
  it("the order beside a double, whole or not", () => {
    const double = fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true }));
    fc.assert(
      fc.property(amount, double, (a, b) => {
        expect(Math.sign(Decimal.of(a).cmp(b))).toBe(new Exact(a).cmp(new Exact(b)));
      }),
    );
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: -1, max: 1 }), (a, more) => {
        for (const near of [`${a}`, `${a}.50`])
          expect(Math.sign(Decimal.of(near).cmp(a + more))).toBe(new Exact(near).cmp(new Exact(a + more)));
      }),
    );
  });
  it("sums, differences, products, quotients and the order of two values", () => {
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        const [x, y] = [Decimal.of(a), Decimal.of(b)];
        const [p, q] = [new Exact(a), new Exact(b)];
        expect(x.plus(y).toFixed()).toBe(plain(p.plus(q)));
        expect(x.minus(y).toFixed()).toBe(plain(p.minus(q)));
        expect(x.times(y).toFixed()).toBe(plain(p.times(q)));
        expect(x.cmp(y)).toBe(p.cmp(q));
        expect([x.eq(y), x.lt(y), x.lte(y), x.gt(y), x.gte(y)]).toEqual([
          p.eq(q),
          p.lt(q),
          p.lte(q),
          p.gt(q),
          p.gte(q),
        ]);
        if (q.isZero()) return;
        expect(x.div(y).toFixed()).toBe(plain(p.div(q)));
        expect(x.over(y)).toBe(p.div(q).toNumber() || 0);
        expect(x.wholes(y).toFixed()).toBe(plain(p.divToInt(q)));
      }),
      { numRuns: 2000 },
    );
  });

  it("products of products and quotients, which have more than 40 digits", () => {
    fc.assert(
      fc.property(amount, amount, amount, (a, b, c) => {
        const value = Decimal.of(a).times(b).times(c);
        expect(value.toFixed()).toBe(plain(new Exact(a).times(b).times(c)));
        if (Decimal.of(c).isZero()) return;
        expect(Decimal.of(a).div(c).times(b).toFixed()).toBe(plain(new Exact(a).div(c).times(b)));
      }),
      { numRuns: 1000 },
    );
  });

  it("roundings to any place, texts and doubles", () => {
    const modes = [
      ["half-even", Peer.ROUND_HALF_EVEN],
      ["half-up", Peer.ROUND_HALF_UP],
      ["up", Peer.ROUND_UP],
      ["down", Peer.ROUND_DOWN],
      ["floor", Peer.ROUND_FLOOR],
      ["ceil", Peer.ROUND_CEIL],
    ] as const;
    const half = fc.tuple(fc.integer({ min: -10_000, max: 10_000 }), fc.integer({ min: 0, max: 4 }));
    const tie = half.map(([count, places]) => new Exact(`${count}5e-${places + 1}`).toFixed());
    fc.assert(
      fc.property(fc.oneof(amount, tie), fc.integer({ min: 0, max: 10 }), (a, places) => {
        const [x, p] = [Decimal.of(a), new Exact(a)];
        for (const [rounding, peer] of modes)
          expect(x.toDecimalPlaces(places, rounding).toFixed()).toBe(plain(p.toDecimalPlaces(places, peer)));
        expect(x.toFixed(places)).toBe(p.toFixed(places));
        expect(x.toNumber()).toBe(p.toNumber() || 0);
        expect(x.decimalPlaces()).toBe(p.decimalPlaces());
        expect([x.isZero(), x.isInteger(), x.isNegative()]).toEqual([p.isZero(), p.isInteger(), p.lt(0)]);
        expect([x.abs(), x.negated(), x.floor(), x.ceil(), x.trunc()].map(text)).toEqual(
          [p.abs(), p.negated(), p.floor(), p.ceil(), p.trunc()].map(plain),
        );
      }),
      { numRuns: 2000 },
    );
  });

  it("a double is the decimal that it is written as", () => {
    const double = fc.oneof(
      fc.integer({ min: -(10 ** 12), max: 10 ** 12 }).map((cents) => cents / 100),
      fc.integer({ min: -(10 ** 14), max: 10 ** 14 }).map((count) => count / 1e6),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    );
    fc.assert(
      fc.property(double, (value) => {
        expect(money(value).toFixed()).toBe(plain(new Exact(value)));
        expect(money(value).toNumber()).toBe(value || 0);
      }),
      { numRuns: 2000 },
    );
  });
});

it("what is estimated lies within half a unit of the ninth place and a unit of the double's last", () => {
  fc.assert(
    fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), (value) => {
      const difference = new Exact(text(estimated(value))).minus(value).abs().toNumber();
      expect(difference).toBeLessThanOrEqual(0.5e-9 + Math.abs(value) * Number.EPSILON);
      expect(estimated(value).decimalPlaces()).toBeLessThanOrEqual(9);
    }),
  );
});

it.each(["", "-", ".", "1.2.3", "1,000", "NaN", "Infinity", "0x10", "1 ", "--1", "1e"])(
  "%j is refused: it is no plain decimal",
  (value) => expect(() => money(value)).toThrow(RangeError),
);

it("NaN, an infinity and a division by zero are refused", () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) expect(() => money(value)).toThrow(RangeError);
  expect(() => money(1).div(0)).toThrow(RangeError);
  expect(() => money(1).wholes("0.00")).toThrow(RangeError);
});
