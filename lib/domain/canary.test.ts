import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isInShare, shareText, sidesOf, standOf, WHOLE_SHARE } from "./canary.ts";

const share = fc.integer({ min: 0, max: WHOLE_SHARE });
const rowsOf = (ids: string[]) => ids.map((id) => ({ id }));

describe("the share of a canary", () => {
  it("is stable: an id stands where it stood in every earlier version", () => {
    expect(standOf("00000000-0000-0000-0000-000000000000")).toBe(4_904);
    expect(standOf("0198c0de-0000-7000-8000-000000000001")).toBe(2_033);
    expect(standOf("ffffffff-ffff-ffff-ffff-ffffffffffff")).toBe(4_945);
  });

  it("that grows only adds accounts; a share of 0 holds no account, and the whole all", () => {
    fc.assert(
      fc.property(fc.uuid(), share, share, (id, one, other) => {
        const [smaller, greater] = [Math.min(one, other), Math.max(one, other)];
        expect(isInShare(id, smaller) && !isInShare(id, greater)).toBe(false);
        expect(isInShare(id, 0)).toBe(false);
        expect(isInShare(id, WHOLE_SHARE)).toBe(true);
      }),
    );
  });

  it("of many ids is near its percentage, of chance and of ids made one after the other", () => {
    const random = fc.array(fc.uuid(), { minLength: 4_000, maxLength: 4_000 });
    const inTurn = fc.integer({ min: 0, max: 0xff_ff_ff }).map((from) =>
      Array.from({ length: 4_000 }, (_, nth) => {
        const tail = (from + nth).toString(16).padStart(12, "0");
        return `0198c0de-0000-7000-8000-${tail}`;
      }),
    );
    fc.assert(
      fc.property(fc.oneof(random, inTurn), share, (ids, of) => {
        const [inside] = sidesOf(rowsOf(ids), of);
        const expected = (ids.length * of) / WHOLE_SHARE;
        // Six standard deviations: beyond them once in 500 million draws.
        const spread = Math.sqrt(expected * (1 - of / WHOLE_SHARE));
        expect(Math.abs(inside.length - expected)).toBeLessThanOrEqual(6 * spread + 6);
      }),
      { numRuns: 20 },
    );
  });

  it("parts the accounts into two sides, each account on one and in its order", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.uuid()), share, (ids, of) => {
        const [inside, others] = sidesOf(rowsOf(ids), of);
        expect([...inside, ...others].map(({ id }) => id).sort()).toEqual([...ids].sort());
        expect(inside.every(({ id }) => isInShare(id, of))).toBe(true);
        const isInOrder = (rows: { id: string }[]) =>
          rows.every(({ id }, nth) => nth === 0 || ids.indexOf(rows[nth - 1]!.id) < ids.indexOf(id));
        expect(isInOrder(inside) && isInOrder(others)).toBe(true);
      }),
    );
  });

  it("reads as a percentage", () => {
    expect([0, 5, 500, 1_250, WHOLE_SHARE].map(shareText)).toEqual(["0 %", "0.05 %", "5 %", "12.5 %", "100 %"]);
  });
});
