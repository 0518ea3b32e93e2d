import { describe, expect, it } from "vitest";
import { money } from "../money.ts";
import type { Lineage } from "./lineage.ts";
import {
  CLOSED_UNKNOWN,
  differsFromKnown,
  isFollowed,
  isRecorded,
  orderRowAfterReport,
  type KnownOrder,
  type ReportedOrder,
} from "./recorded-order.ts";

const NINE = "2026-03-02T14:30:00.000Z";
const TEN = "2026-03-02T15:30:00.000Z";
const NOON = "2026-03-02T17:00:00.000Z";

const OURS: Lineage = { origin: "OURS", role: "ENTRY", intentId: "intent", parentId: null, reason: "momentum" };

const report = (part: Partial<ReportedOrder> = {}): ReportedOrder => ({
  id: "at-broker",
  clientOrderId: "ours",
  symbol: "KLM",
  side: "BUY",
  orderClass: "SIMPLE",
  type: "LIMIT",
  timeInForce: "day",
  qty: "10",
  notional: null,
  limitPrice: "50",
  stopPrice: null,
  status: "NEW",
  brokerStatus: "new",
  filledQty: "0",
  filledAvgPrice: null,
  submittedAt: NINE,
  updatedAt: TEN,
  filledAt: null,
  endedAt: null,
  replacedById: null,
  legs: [],
  ...part,
});

/** As the database answers the row: with an id, and decimals as objects. */
function stored(row: ReturnType<typeof orderRowAfterReport>, id = "order"): KnownOrder {
  const decimal = (value: string | null) => (value === null ? null : money(value));
  return {
    ...row,
    id,
    qty: decimal(row.qty),
    notional: decimal(row.notional),
    limitPrice: decimal(row.limitPrice),
    stopPrice: decimal(row.stopPrice),
    filledQty: money(row.filledQty),
    filledAvgPrice: decimal(row.filledAvgPrice),
    filledValue: money(row.filledValue),
  };
}

const recorded = (part: Partial<ReportedOrder> = {}, lineage = OURS, known: KnownOrder | null = null) =>
  stored(orderRowAfterReport(report(part), known, lineage));

const PART_FILLED = {
  status: "PARTIALLY_FILLED",
  brokerStatus: "partially_filled",
  filledQty: "4",
  filledAvgPrice: "49.5",
} as const;

it("a decision follows its order and the replacement that rests, and not a replacement that the venue refused", () => {
  expect(isFollowed(report(), "CANCELED")).toBe(true);
  expect(isFollowed(report(), "REJECTED")).toBe(true);
  expect(isFollowed(report(), "REPLACED")).toBe(false);
  expect(isFollowed(report({ replacesId: "before" }), "NEW")).toBe(true);
  expect(isFollowed(report({ replacesId: "before" }), "FILLED")).toBe(true);
  expect(isFollowed(report({ replacesId: "before" }), "REJECTED")).toBe(false);
});

describe("a report merged with what is recorded", () => {
  it("the same report says nothing new, and a newer one that does is taken over", () => {
    const known = recorded(PART_FILLED);
    expect(differsFromKnown(known, orderRowAfterReport(report(PART_FILLED), known, known))).toBe(false);
    const next = orderRowAfterReport(report({ ...PART_FILLED, filledQty: "5", updatedAt: NOON }), known, known);
    expect(differsFromKnown(known, next)).toBe(true);
    expect(next).toMatchObject({ filledQty: "5", filledValue: "247.5", brokerUpdatedAt: new Date(NOON) });
  });

  it("an older report takes nothing back: neither status, fills, price nor what the order asks for", () => {
    const known = recorded({ ...PART_FILLED, qty: "8", limitPrice: "51", updatedAt: NOON });
    const next = orderRowAfterReport(report(), known, known);
    expect(differsFromKnown(known, next)).toBe(false);
    expect(next).toMatchObject({ status: "PARTIALLY_FILLED", brokerStatus: "partially_filled", qty: "8" });
    expect(next).toMatchObject({ limitPrice: "51", filledQty: "4", filledAvgPrice: "49.5" });
  });

  it("never more is filled than the order asks for", () => {
    expect(recorded({ ...PART_FILLED, qty: "3" }).filledQty.toString()).toBe("3");
  });

  it("a newer report with fewer shares filled keeps what was filled, at its price", () => {
    const known = recorded(PART_FILLED);
    const fewer = report({ ...PART_FILLED, filledQty: "2", filledAvgPrice: "48", updatedAt: NOON });
    expect(orderRowAfterReport(fewer, known, known)).toMatchObject({ filledQty: "4", filledAvgPrice: "49.5" });
  });

  it("an end that the broker reported stands, one that an administrator recorded does not", () => {
    const canceled = { status: "CANCELED", brokerStatus: "canceled", endedAt: TEN } as const;
    const ended = recorded(canceled);
    const later = report({ updatedAt: NOON });
    expect(orderRowAfterReport(later, ended, ended)).toMatchObject({ status: "CANCELED", endedAt: new Date(TEN) });
    const closed = { ...ended, brokerStatus: CLOSED_UNKNOWN };
    expect(orderRowAfterReport(later, closed, closed)).toMatchObject({ status: "NEW", endedAt: null });
  });

  it("an end without a time of its own ended when the report was made; a filled order did not end otherwise", () => {
    expect(recorded({ status: "EXPIRED" })).toMatchObject({ endedAt: new Date(TEN), filledAt: null });
    expect(recorded({ status: "FILLED", filledQty: "10", filledAvgPrice: "50", endedAt: TEN })).toMatchObject({
      endedAt: null,
      filledAt: new Date(TEN),
    });
  });

  it("a resting stop is a trade of the moment it was hit, an entry of the moment it was sent", () => {
    const filled = { status: "FILLED", filledQty: "10", filledAvgPrice: "45", filledAt: NOON } as const;
    expect(recorded(filled, { ...OURS, role: "STOP" }).tradedAt).toEqual(new Date(NOON));
    expect(recorded(filled).tradedAt).toEqual(new Date(NINE));
    expect(recorded({}, { ...OURS, role: "STOP" }).tradedAt).toEqual(new Date(NINE));
  });
});

describe("whether a report changes nothing", () => {
  const of = (...orders: KnownOrder[]) => {
    const rows = new Map(orders.map((order, at) => [at === 0 ? "at-broker" : `leg-${at}`, order]));
    return (id: string) => rows.get(id);
  };
  const live = () => "LIVE" as const;

  it("an order of ours that is known, whose intent followed it, is recorded", () => {
    expect(isRecorded(report(), of(recorded()), live)).toBe(true);
  });

  it("one that is unknown, from elsewhere, or reported with something new is not", () => {
    expect(isRecorded(report(), of(), live)).toBe(false);
    expect(isRecorded(report(), of(recorded({}, { ...OURS, origin: "EXTERNAL" })), live)).toBe(false);
    expect(isRecorded(report({ limitPrice: "52", updatedAt: NOON }), of(recorded()), live)).toBe(false);
  });

  it("one whose intent is unread, or has yet to follow it, is not", () => {
    expect(isRecorded(report(), of(recorded()), () => undefined)).toBe(false);
    expect(isRecorded(report(), of(recorded()), () => "SUBMITTING")).toBe(false);
  });

  it("it is recorded with all of its legs, each below its parent", () => {
    const leg = report({ id: "leg-1", type: "STOP", side: "SELL", stopPrice: "45", status: "HELD" });
    const group = report({ legs: [leg] });
    const below = { ...OURS, role: "STOP", parentId: "order", reason: "protective_stop" } as const;
    const row = (lineage: Lineage) => stored(orderRowAfterReport(leg, null, lineage), "leg");
    expect(isRecorded(group, of(recorded(), row(below)), live)).toBe(true);
    expect(isRecorded(group, of(recorded()), live)).toBe(false);
    expect(isRecorded(group, of(recorded(), row({ ...below, parentId: "another" })), live)).toBe(false);
  });
});

it("a stop of which a part was filled is a trade of the day of that part, while the rest of it rests", () => {
  const STOP: Lineage = { ...OURS, role: "STOP", reason: "protective_stop" };
  const day = (row: { tradedAt: Date }) => row.tradedAt.toISOString();
  const resting = recorded({ side: "SELL" }, STOP);
  expect(day(resting)).toBe(NINE);
  const hit = recorded({ ...PART_FILLED, side: "SELL", updatedAt: TEN }, STOP, resting);
  expect(day(hit)).toBe(TEN);
  // Another part, and a report that repeats it.
  const again = recorded({ ...PART_FILLED, side: "SELL", filledQty: "6", updatedAt: NOON }, STOP, hit);
  expect(day(again)).toBe(TEN);
  const entry = recorded({ ...PART_FILLED, updatedAt: TEN });
  expect(day(entry)).toBe(NINE);
});
