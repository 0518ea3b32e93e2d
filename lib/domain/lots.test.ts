import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { closeLots, type Lot, lotsQty, openLot, splitLots } from "./lots.ts";
import { money, sum, text, ZERO } from "./money.ts";

const AT = "2020-02-03T15:00:00.000Z";
const lot = (id: string, sequence: number, qty: string, price: string, fees = "0") =>
  openLot({ id, sequence, qty: money(qty), price: money(price), fees: money(fees), at: AT });
const fill = (qty: string, price: string, fees = "0") => ({
  qty: money(qty),
  price: money(price),
  fees: money(fees),
  at: AT,
});
const pnls = (closures: { realizedPnl: { toFixed(): string } }[]) =>
  closures.map(({ realizedPnl }) => realizedPnl.toFixed());

describe("FIFO lots", () => {
  it("the worked example of the design gives 729.60", () => {
    const first = closeLots([lot("a", 1, "100", "50"), lot("b", 2, "50", "54")], fill("120", "58", "0.30"));
    expect(pnls(first.closures)).toEqual(["799.75", "79.95"]);
    const second = closeLots(first.lots, fill("30", "49", "0.10"));
    expect(pnls(second.closures)).toEqual(["-150.1"]);
    expect(second.lots).toEqual([]);
    expect(text(sum([...first.closures, ...second.closures].map((c) => c.realizedPnl)))).toBe("729.6");
  });

  it("goes by sequence, not by the order of the list", () => {
    const { closures } = closeLots([lot("b", 2, "1", "20"), lot("a", 1, "1", "10")], fill("1", "30"));
    expect(closures.map(({ lotId }) => lotId)).toEqual(["a"]);
  });

  it("says what no lot covered, and keeps its fees out", () => {
    const { closures, unmatchedQty, lots } = closeLots([lot("a", 1, "4", "10")], fill("10", "11", "1"));
    expect(text(unmatchedQty)).toBe("6");
    expect(lots).toEqual([]);
    expect(text(closures[0]!.fees)).toBe("0.4");
  });

  it("refuses fills without shares", () => {
    expect(() => closeLots([], fill("0", "10"))).toThrow(RangeError);
    expect(() => lot("a", 1, "-1", "10")).toThrow(RangeError);
  });

  it("a split keeps the value: 4 for 1", () => {
    const [got] = splitLots([lot("a", 1, "10", "100", "1")], "4");
    expect([got!.qtyRemaining, got!.costPrice, got!.feesRemaining].map((value) => text(value))).toEqual([
      "40",
      "25",
      "1",
    ]);
  });

  const hundredths = (min: number, max: number) => fc.integer({ min, max }).map((value) => text(money(value).div(100)));

  it("closing everything: realised = proceeds − cost − fees, exactly, however it is sliced", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 500 }), hundredths(1, 100_000), hundredths(0, 500)), {
          minLength: 1,
          maxLength: 8,
        }),
        fc.array(fc.tuple(fc.integer({ min: 1, max: 400 }), hundredths(1, 100_000), hundredths(0, 500)), {
          minLength: 1,
          maxLength: 30,
        }),
        hundredths(1, 100_000),
        (buys, sells, lastPrice) => {
          let lots: Lot[] = buys.map(([qty, price, fees], i) => lot(`l${i}`, i, String(qty), price, fees));
          let paid = sum(buys.map(([qty, price, fees]) => money(price).times(qty).plus(fees)));
          let received = ZERO;
          let realized = ZERO;
          const sell = (qty: number, price: string, fees: string) => {
            const result = closeLots(lots, fill(String(qty), price, fees));
            expect(text(result.unmatchedQty)).toBe("0");
            for (const c of result.closures)
              expect(text(c.realizedPnl)).toBe(text(c.proceeds.minus(c.cost).minus(c.fees)));
            lots = result.lots;
            received = received.plus(money(price).times(qty));
            paid = paid.plus(fees);
            realized = realized.plus(sum(result.closures.map((c) => c.realizedPnl)));
          };
          for (const [qty, price, fees] of sells) if (lotsQty(lots).gte(qty)) sell(qty, price, fees);
          const rest = lotsQty(lots).toNumber();
          if (rest > 0) sell(rest, lastPrice, "0.07");
          expect(text(realized)).toBe(text(received.minus(paid)));
        },
      ),
    );
  });
});
