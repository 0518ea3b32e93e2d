import { describe, expect, it } from "vitest";
import {
  EXAMPLE_PRIOR,
  EXAMPLE_TODAY,
  exampleAccount,
  exampleFeatures,
  exampleMarket,
  examplePolicy,
  examplePosition,
  exampleSymbol,
} from "@/lib/proof/example-market.ts";
import { plan as rotationPlan } from "@/lib/proof/example-rotation.ts";
import { money, text } from "../money.ts";
import { movedStop } from "../moved-stop.ts";
import { openBook } from "../risk/book.ts";
import { decide } from "./decide.ts";
import type { HeldPosition } from "./plan.ts";

/** A holding of 120 shares at 100, in an account that may hold no more than its stop covers. */
const BEFORE = examplePosition("AAA", {
  qty: "120",
  protectedQty: "120",
  avgEntryPrice: "98",
  stopPrice: "93",
  targetPrice: "108",
  review: { highestClose: "100", entryAtr: 2, weakReviews: 0, belowTrend: 0, reviewedSession: "2020-01-30" },
});

/** The market on the morning of a split: features in the shares of the evening before, quotes in new ones. */
function morning(ratio: string) {
  const last = text(money("100").div(ratio));
  const features = exampleFeatures({ close: 100, atr14: 2, sma200: 80 });
  const quote = { last, bid: last, ask: last, at: exampleMarket([], []).at };
  return exampleMarket([exampleSymbol("AAA", { features, splitToday: ratio, quote })], []);
}

/** What the ledger makes of a position when the split is booked. */
function booked(position: HeldPosition, ratio: string, splitBookedOn: string): HeldPosition {
  const price = (value: string | null) => (value === null ? null : text(money(value).div(ratio)));
  const { review } = position;
  const qty = text(money(position.qty).times(ratio));
  return {
    ...position,
    ...{ qty, protectedQty: qty, splitBookedOn },
    ...{ avgEntryPrice: price(position.avgEntryPrice)!, stopPrice: price(position.stopPrice) },
    ...{ targetPrice: price(position.targetPrice) },
    review: { ...review, highestClose: price(review.highestClose), entryAtr: review.entryAtr! / Number(ratio) },
  };
}

const look = (position: HeldPosition, ratio: string, market = morning(ratio)) =>
  decide(exampleAccount({ positions: [position] }), market, examplePolicy);

describe.each(["0.1", "0.5", "1.05", "4"])("a split of %s new shares for one old", (ratio) => {
  it("booked after the session's first look sells nothing, and the day's bar counts once it is booked", () => {
    const first = look(BEFORE, ratio);
    expect(first.orders).toEqual([]);
    expect(first.reviews[0]!.review).toEqual(BEFORE.review);
    const after = booked({ ...BEFORE, review: first.reviews[0]!.review }, ratio, EXAMPLE_TODAY);
    const second = look(after, ratio);
    expect(second.orders).toEqual([]);
    const { highestClose, reviewedSession } = second.reviews[0]!.review;
    expect(Number(highestClose)).toBeCloseTo(100 / Number(ratio), 6);
    expect(reviewedSession).toBe(EXAMPLE_PRIOR);
  });

  it("leaves shares that no stop covers to be counted before a level is chosen or one sold at it", () => {
    expect(look({ ...BEFORE, protectedQty: "0" }, ratio).orders).toEqual([]);
    const bare = { ...booked(BEFORE, ratio, EXAMPLE_TODAY), protectedQty: "0" };
    expect(look(bare, ratio).orders).toMatchObject([{ purpose: "PROTECT" }]);
  });

  it("moves no stop until it is booked", () => {
    const preferences = { stopLoss: "5", profitTarget: "10" };
    const restingStop = text(money("50").div(ratio));
    const of = (position: HeldPosition) =>
      movedStop({
        position,
        review: position.review,
        market: morning(ratio),
        restingStop,
        policy: examplePolicy,
        preferences,
      });
    expect(of(BEFORE)).toBeNull();
    expect(of(booked(BEFORE, ratio, EXAMPLE_TODAY))).not.toBeNull();
  });

  it("changes nothing of what the position is worth, booked or not", () => {
    const gross = (position: HeldPosition) =>
      openBook(exampleAccount({ positions: [position] }), morning(ratio), examplePolicy).gross.toNumber();
    expect(gross(BEFORE)).toBeCloseTo(12_000, 4);
    expect(gross(booked(BEFORE, ratio, EXAMPLE_TODAY))).toBeCloseTo(12_000, 4);
  });
});

it("a booking dated to the evening before counts, one of an earlier split does not", () => {
  const review = { ...BEFORE.review, highestClose: "10", entryAtr: 0.2 };
  const reviewed = (splitBookedOn: string) => look({ ...BEFORE, review, splitBookedOn }, "4").reviews[0]!.review;
  expect(reviewed(EXAMPLE_PRIOR).reviewedSession).toBe(EXAMPLE_PRIOR);
  expect(reviewed("2020-01-30").reviewedSession).toBe("2020-01-30");
});

it("shares that were bought on the day of the split are in its prices", () => {
  const bare = { ...BEFORE, openedSession: EXAMPLE_TODAY, avgEntryPrice: "25", protectedQty: "0" };
  expect(look({ ...bare, stopPrice: "23", targetPrice: "28" }, "4").orders).toMatchObject([
    { purpose: "PROTECT", stopLossPrice: "23" },
  ]);
});

it("a falling market trims no position whose split is not booked, and a person's order to sell everything holds", () => {
  const market = morning("4");
  const falling = { ...market, regime: { ...market.regime, label: "risk_off" as const, votes: -3 } };
  const held = { ...BEFORE, qty: "600", protectedQty: "600" };
  expect(look(held, "4", falling).orders).toEqual([]);
  const state = exampleAccount({ positions: [held], killState: "FLATTEN" });
  expect(decide(state, market, examplePolicy).orders).toMatchObject([{ purpose: "FLATTEN", qty: "600" }]);
});

it("a rotation sells none of it until it is booked", () => {
  const legsOf = (position: HeldPosition) =>
    rotationPlan([exampleAccount({ positions: [position] })], morning("4")).legs.map(({ kind, qty }) => [kind, qty]);
  const weak = { ...BEFORE, review: { ...BEFORE.review, highestClose: "110" } };
  expect(legsOf(weak)).toEqual([]);
  expect(legsOf(booked(weak, "4", EXAMPLE_TODAY))).toEqual([["forced_exit", "480"]]);
});
