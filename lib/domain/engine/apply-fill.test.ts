import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SideName } from "../enums.ts";
import { money, sum, text } from "../money.ts";
import { applyFill, applySplit, emptyBook, type FillEvent, type FillResult, type PositionBook } from "./apply-fill.ts";

let serial = 0;
function fill(side: SideName, qty: string, price: string, fees = "0"): FillEvent {
  serial += 1;
  return {
    id: `f${serial}`,
    side,
    qty,
    price,
    fees,
    at: `2020-02-03T15:00:${String(serial % 60).padStart(2, "0")}.000Z`,
  };
}

function play(fills: FillEvent[], book: PositionBook = emptyBook("AAA")): FillResult[] {
  let current = book;
  return fills.map((event) => {
    const result = applyFill(current, event);
    current = JSON.parse(JSON.stringify(result.book)) as PositionBook;
    return result;
  });
}

describe("applyFill", () => {
  it("keeps one round trip from flat to flat", () => {
    const results = play([
      fill("BUY", "100", "50"),
      fill("BUY", "50", "54"),
      fill("SELL", "120", "58", "0.30"),
      fill("SELL", "30", "49", "0.10"),
    ]);
    expect(results.map(({ trip }) => trip === null)).toEqual([true, true, true, false]);
    const last = results.at(-1)!;
    expect(last.trip).toMatchObject({
      qtyBought: "150",
      qtySold: "150",
      entryValue: "7700",
      exitValue: "8430",
      fees: "0.4",
      pnl: "729.6",
      outcome: "WIN",
    });
    expect(last.book).toMatchObject({ qty: "0", avgPrice: null, lots: [], trip: null });
    expect(results[2]!.book).toMatchObject({ qty: "30", avgPrice: "54" });
  });

  it("half a cent is a scratch", () => {
    const scratch = play([fill("BUY", "1", "10"), fill("SELL", "1", "10.005")]).at(-1)!;
    expect(scratch.trip?.outcome).toBe("SCRATCH");
    const win = play([fill("BUY", "1", "10"), fill("SELL", "1", "10.0051")]).at(-1)!;
    expect(win.trip?.outcome).toBe("WIN");
  });

  it("a sale of what is not held changes nothing and says so", () => {
    const { book, closures, trip, unmatchedQty } = applyFill(emptyBook("AAA"), fill("SELL", "5", "10"));
    expect({ qty: book.qty, closures, trip, unmatchedQty }).toEqual({
      qty: "0",
      closures: [],
      trip: null,
      unmatchedQty: "5",
    });
  });

  it("a split in the middle does not change the result", () => {
    const plain = play([fill("BUY", "10", "100", "1"), fill("SELL", "10", "120", "1")]).at(-1)!;
    const before = applyFill(emptyBook("AAA"), fill("BUY", "10", "100", "1")).book;
    const after = applyFill(applySplit(before, "4"), fill("SELL", "40", "30", "1"));
    expect(after.trip?.pnl).toBe(plain.trip?.pnl);
  });

  it("quantity, cost and result always add up", () => {
    const event = fc.record({
      side: fc.constantFrom("BUY" as const, "SELL" as const),
      qty: fc.integer({ min: 1, max: 1000 }).map((n) => text(money(n).div(10))),
      price: fc.integer({ min: 1, max: 1_000_000 }).map((n) => text(money(n).div(100))),
      fees: fc.integer({ min: 0, max: 100 }).map((n) => text(money(n).div(100))),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        const results = play(
          events.map((each, i) => ({
            ...each,
            id: `e${i}`,
            at: `2020-02-03T15:${String(i).padStart(2, "0")}:00.000Z`,
          })),
        );
        let qty = money(0);
        for (const [i, { book, unmatchedQty }] of results.entries()) {
          const { side, qty: moved } = events[i]!;
          qty = side === "BUY" ? qty.plus(moved) : qty.minus(moved).plus(unmatchedQty);
          expect(book.qty).toBe(text(qty));
          expect(book.trip === null).toBe(qty.isZero());
          expect(sum(book.lots.map((lot) => money(lot.qtyRemaining))).eq(qty)).toBe(true);
        }
      }),
    );
  });
});
