import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { money, sum, text } from "./money.ts";
import { asPair, coverageOf, protectionFor, sharesToProtect } from "./protection.ts";

const shares = fc.integer({ min: 0, max: 5_000 }).map((thousandths) => money(thousandths).div(100));

describe("the coverage of a position", () => {
  it("counts each share once, never less than none and never more than are held", () => {
    fc.assert(
      fc.property(shares, shares, shares, (held, stopped, selling) => {
        const coverage = coverageOf({ held, stopped, selling });
        const parts = [coverage.protected, coverage.reserved, coverage.bare];
        expect(text(sum(parts))).toBe(text(held));
        for (const part of parts) expect(part.gte(0) && part.lte(held)).toBe(true);
        expect(coverage.protected.lte(stopped) && coverage.reserved.lte(selling)).toBe(true);
      }),
    );
  });

  it("is asked to protect no more than the broker has free, so orders to sell never exceed the shares", () => {
    fc.assert(
      fc.property(shares, shares, shares, shares, (held, stopped, selling, bound) => {
        const available = held.gt(bound) ? held.minus(bound) : money(0);
        const qty = sharesToProtect(coverageOf({ held, stopped, selling }).bare, available);
        expect(qty.isInteger() && qty.gte(0)).toBe(true);
        expect(qty.plus(bound.gt(held) ? held : bound).lte(held)).toBe(true);
      }),
    );
  });
});

it("a pair lies around the price, whatever it stands for", () => {
  const around = { last: money("100"), target: money("99") };
  const shown = (protection: ReturnType<typeof asPair>) =>
    protection.kind === "pair" ? [protection.stop.toFixed(), protection.target.toFixed()] : protection.kind;
  expect(shown(asPair({ kind: "stop", stop: money("95") }, around))).toEqual(["95", "100.01"]);
  expect(shown(asPair({ kind: "sale" }, { ...around, target: money("105") }))).toEqual(["99.99", "105"]);
  expect(shown(asPair({ kind: "sale" }, { last: money("0.01"), target: money("1") }))).toBe("sale");
});

describe("the protection of bare shares", () => {
  const levels = { stop: money("95"), target: money("110"), last: money("100"), isOpen: true };
  it.each([
    ["a stop and a target around the price", {}, "pair"],
    ["a target that the price has passed", { last: money("111") }, "stop"],
    ["a stop that the price has reached", { last: money("95") }, "sale"],
    ["a stop that the price is through", { last: money("90") }, "sale"],
    ["the same while the market is closed", { last: money("90"), isOpen: false }, "wait"],
    ["a stop while the market is closed", { isOpen: false }, "pair"],
  ])("%s", (_, change, kind) => {
    expect(protectionFor({ ...levels, ...change }).kind).toBe(kind);
  });
});
