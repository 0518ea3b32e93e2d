import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ORDER_STATUSES, type OrderStatusName } from "./enums.ts";
import {
  identityMismatch,
  intentStatusOf,
  isInFlight,
  isTerminal,
  nextOrderStatus,
  raisedStop,
  statusesOfTrade,
  TRADE_STATUS,
  WORKING_STATUSES,
} from "./orders.ts";

const status = fc.constantFrom(...ORDER_STATUSES);

describe("the table of order statuses", () => {
  it("has an answer for every pair", () => {
    for (const current of ORDER_STATUSES)
      for (const reported of ORDER_STATUSES) expect(ORDER_STATUSES).toContain(nextOrderStatus(current, reported));
  });

  it("never leaves a final state, whatever is reported in whatever order", () => {
    fc.assert(
      fc.property(status, fc.array(status), (start, reports) => {
        let current: OrderStatusName = start;
        for (const reported of reports) {
          const next = nextOrderStatus(current, reported);
          if (isTerminal(current)) expect(next).toBe(current);
          current = next;
        }
      }),
    );
  });

  it("reaches a final state as soon as the broker reports one", () => {
    for (const current of WORKING_STATUSES)
      for (const reported of ORDER_STATUSES.filter(isTerminal))
        expect(nextOrderStatus(current, reported)).toBe(reported);
  });

  it("hearing the same report twice changes nothing", () => {
    fc.assert(
      fc.property(status, status, (current, reported) => {
        const once = nextOrderStatus(current, reported);
        expect(nextOrderStatus(once, reported)).toBe(once);
      }),
    );
  });

  it("does not unroute an order or forget that it has fills", () => {
    expect(nextOrderStatus("NEW", "PENDING_NEW")).toBe("NEW");
    expect(nextOrderStatus("NEW", "ACCEPTED")).toBe("NEW");
    expect(nextOrderStatus("PARTIALLY_FILLED", "NEW")).toBe("PARTIALLY_FILLED");
  });

  it("lets a cancel be refused and lets it lose the race with a fill", () => {
    expect(nextOrderStatus("PENDING_CANCEL", "NEW")).toBe("NEW");
    expect(nextOrderStatus("PENDING_CANCEL", "FILLED")).toBe("FILLED");
  });
});

describe("words for people and for decisions", () => {
  it("every broker status has one word of Trade History, and the words' lists cover every status once", () => {
    const covered = (["FILLED", "PENDING", "CANCELLED", "REJECTED"] as const).flatMap(statusesOfTrade);
    expect([...covered].sort()).toEqual([...ORDER_STATUSES].sort());
    expect(TRADE_STATUS.EXPIRED).toBe("CANCELLED");
    expect(TRADE_STATUS.OTHER).toBe("PENDING");
  });

  it("a decision is in flight until its order is final, parked and unknown ones included", () => {
    expect(["UNKNOWN", "PARKED", "SUBMITTING", "LIVE"].every((name) => isInFlight(name as "UNKNOWN"))).toBe(true);
    expect(["DENIED", "HALTED", "FILLED", "REJECTED"].some((name) => isInFlight(name as "DENIED"))).toBe(false);
  });

  it("a status that we do not know, and a replaced order, keep the decision live", () => {
    expect(intentStatusOf("OTHER")).toBe("LIVE");
    expect(intentStatusOf("REPLACED")).toBe("LIVE");
    expect(intentStatusOf("EXPIRED")).toBe("EXPIRED");
  });
});

describe("is this the order that we decided", () => {
  const decided = { symbol: "MSFT", side: "BUY" as const, qty: "10" };
  it("the same quantity written differently is the same order", () => {
    expect(identityMismatch(decided, { ...decided, qty: "10.000000000" })).toBeNull();
  });
  it.each([
    [{ symbol: "AAPL" }, "symbol AAPL instead of MSFT"],
    [{ side: "SELL" as const }, "side SELL instead of BUY"],
    [{ qty: "11" }, "quantity 11 instead of 10"],
    [{ qty: null }, "quantity none instead of 10"],
  ])("%j is not", (change, reason) => {
    expect(identityMismatch(decided, { ...decided, ...change })).toBe(reason);
  });
});

describe("a resting stop", () => {
  const price = fc.integer({ min: 1, max: 5_000_000 }).map((cents) => (cents / 100).toFixed(2));

  it("follows a level that has risen by half a percent or more, in the market's increments", () => {
    expect(raisedStop({ resting: "100", level: "100.5", last: "110" }, 0.5)).toBe("100.5");
    expect(raisedStop({ resting: "100", level: "103.4567", last: "110" }, 0.5)).toBe("103.45");
    expect(raisedStop({ resting: "100", level: "100.49", last: "110" }, 0.5)).toBeNull();
    expect(raisedStop({ resting: "100", level: "100.49", last: "110" }, 0.4)).toBe("100.49");
  });

  it("never falls, whatever the level does, and never stands at or above the market", () => {
    fc.assert(
      fc.property(price, price, price, (resting, level, last) => {
        const raised = raisedStop({ resting, level, last }, 0.5);
        return raised === null || (Number(raised) > Number(resting) && Number(raised) < Number(last));
      }),
    );
    expect(raisedStop({ resting: "100", level: "90", last: "110" }, 0.5)).toBeNull();
    expect(raisedStop({ resting: "100", level: "111", last: "110" }, 0.5)).toBeNull();
  });
});
