import { describe, expect, it } from "vitest";
import { INTENT_STATUSES, ORDER_STATUSES } from "../enums.ts";
import { afterAnswer, sendClass, type AnswerKind } from "./answer.ts";
import { awaitsAnswer, blocksNewOrder, mayBeCorrected, mayBecome } from "./intent-states.ts";
import { afterLookup, canStillTurnUp, isUnresolved, isLookupDue, nextAskAtMs } from "./lookup.ts";
import { markStep, mayAskAgain, mayPost, refusalToRenew, throttleWaitMs } from "./mark.ts";
import { closeParked } from "./parked.ts";
import { fillingStep, mayReserveUnknown, protectingStep } from "./protecting.ts";
import { compareLegs, recoveryStep, refusalToResume } from "./recovery.ts";
import { intentAfterReport, orderAfterReport, releaseStep, rivalOf } from "./report.ts";
import { FILLING_MS, SUBMIT_DEADLINE_MS } from "./settings.ts";
import { HOUR_MS } from "../time.ts";
import { readFromMs } from "./watermark.ts";

describe("what an answer over HTTP proves", () => {
  it.each([
    [200, null, true, "accepted"],
    [200, null, false, "unknown"],
    [null, null, false, "unknown"],
    [400, "40010000", false, "rejected"],
    [403, "40310000", false, "rejected"],
    [403, null, false, "keys_refused"],
    [401, "40110000", false, "keys_refused"],
    [404, null, false, "unknown"],
    [408, "40810000", false, "unknown"],
    [422, "42210000", false, "rejected"],
    [422, "40010001", false, "duplicate"],
    [422, null, false, "unknown"],
    [429, null, false, "throttled"],
    [500, "50010000", false, "unknown"],
    [504, null, false, "unknown"],
    [302, null, false, "unknown"],
  ] as const)("%s with code %s, an order read: %s, is %s", (status, code, holdsOrder, proof) => {
    expect(sendClass(status, code, holdsOrder)).toBe(proof);
  });

  it("a server error is no proof, whatever code it carries", () => {
    for (let status = 500; status < 600; status += 1) expect(sendClass(status, "40310000", false)).toBe("unknown");
  });
});

describe("what an answer makes of an intent", () => {
  const NEGATIVE: AnswerKind[] = ["rejected", "throttled", "keys_refused", "withdrawn"];

  it("an answer that comes late changes nothing that was settled meanwhile, and refused keys still halt", () => {
    for (const status of INTENT_STATUSES.filter((one) => !awaitsAnswer(one)))
      for (const answer of [...NEGATIVE, "unknown" as const])
        expect(afterAnswer(answer, status, false, true)).toEqual({ status: "KEEP", halts: answer === "keys_refused" });
  });

  it("after a second request with the same id a refusal closes nothing", () => {
    for (const answer of NEGATIVE) expect(afterAnswer(answer, "SUBMITTING", false, false).status).toBe("UNKNOWN");
    expect(afterAnswer("rejected", "SUBMITTING", false, true).status).toBe("REJECTED");
    expect(afterAnswer("withdrawn", "UNKNOWN", false, true).status).toBe("HALTED");
  });

  it("an order is followed only when it carries the intent's id", () => {
    expect(afterAnswer("accepted", "SUBMITTING", true, true).status).toBe("FOLLOW");
    expect(afterAnswer("accepted", "SUBMITTING", false, true).status).toBe("UNKNOWN");
    expect(afterAnswer("found", "PARKED", true, true).status).toBe("FOLLOW");
  });
});

describe("the life of an intent", () => {
  it("nothing leaves a denial or a fill; what was closed is only reopened by its own order", () => {
    for (const to of INTENT_STATUSES) {
      for (const from of ["DENIED", "FILLED"] as const) expect(mayBecome(from, to)).toBe(false);
      for (const from of ["HALTED", "CANCELED", "REJECTED", "EXPIRED"] as const)
        expect(mayBecome(from, to)).toBe(["PARKED", "LIVE", "FILLED", "CANCELED", "EXPIRED", "REJECTED"].includes(to));
    }
  });

  it("a fill is left only for a correction by the broker, and a correction moves nothing else", () => {
    for (const from of INTENT_STATUSES)
      for (const to of INTENT_STATUSES)
        expect(mayBeCorrected(from, to)).toBe(from === "FILLED" && ["LIVE", "CANCELED", "EXPIRED"].includes(to));
  });

  it("nothing that was sent becomes unsent, and nothing is sent twice", () => {
    for (const from of INTENT_STATUSES)
      for (const to of ["PLANNED", "GATED"] as const)
        expect(mayBecome(from, to)).toBe(from === "PLANNED" && to === "GATED");
    expect(INTENT_STATUSES.filter((from) => mayBecome(from, "SUBMITTING"))).toEqual(["GATED"]);
  });

  it("whatever may have an order at the broker stands in the way of a second one", () => {
    expect(INTENT_STATUSES.filter((status) => blocksNewOrder(status))).toEqual([
      "PLANNED",
      "GATED",
      "SUBMITTING",
      "UNKNOWN",
      "PARKED",
      "LIVE",
    ]);
  });
});

describe("the last look", () => {
  it("only a GATED intent is marked; a stop comes before a denial", () => {
    for (const status of INTENT_STATUSES.filter((one) => one !== "GATED"))
      expect(markStep(status, null, false)).toBe("leave");
    expect(markStep("GATED", null, false)).toBe("mark");
    expect(markStep("GATED", null, true)).toBe("deny");
    expect(markStep("GATED", "the account is halted", true)).toBe("halt");
  });

  it("at the deadline itself it is too late", () => {
    expect([mayPost(9, 10), mayPost(10, 10), mayPost(10, null)]).toEqual([true, false, true]);
  });

  it("a mark is renewed by its own sender only, and not while a switch stops it", () => {
    expect(refusalToRenew("SUBMITTING", 3, 3, null)).toBeNull();
    expect(refusalToRenew("SUBMITTING", 4, 3, null)).toMatch("settled elsewhere");
    expect(refusalToRenew("UNKNOWN", 3, 3, null)).toMatch("settled elsewhere");
    expect(refusalToRenew("SUBMITTING", 3, 3, "kill switch")).toBe("kill switch");
  });

  it("waits to the reset, a second more and a little chance, within bounds, and four requests are the most (B7)", () => {
    expect(throttleWaitMs(5_000, 0)).toBe(6_000);
    expect(throttleWaitMs(-5_000, 1)).toBe(1_500);
    expect(throttleWaitMs(1e12, 1)).toBe(61_500);
    expect([1, 2, 3, 4, 5].map(mayAskAgain)).toEqual([true, true, true, false, false]);
  });
});

describe("questions", () => {
  const facts = {
    status: "UNKNOWN",
    isFound: false,
    wasWalked: false,
    waitedMs: 60_000,
    settleWindowMs: 60_000,
    isSessionOver: false,
    hasOrder: false,
  } as const;

  it("what is found is adopted; what is not is asked again, walked, parked, and never sent again", () => {
    expect(afterLookup({ ...facts, isFound: true })).toBe("adopt");
    expect(afterLookup({ ...facts, waitedMs: 59_999, wasWalked: true })).toBe("ask_later");
    expect(afterLookup(facts)).toBe("walk");
    expect(afterLookup({ ...facts, wasWalked: true })).toBe("park");
  });

  it("a parked order expires after its session, a reading of all orders, and the time that a request may take", () => {
    const parked = { ...facts, status: "PARKED", isSessionOver: true, waitedMs: 600_000 } as const;
    expect(afterLookup(parked)).toBe("walk");
    expect(afterLookup({ ...parked, wasWalked: true })).toBe("expire");
    expect(afterLookup({ ...parked, wasWalked: true, waitedMs: 599_999 })).toBe("ask_later");
    expect(afterLookup({ ...parked, wasWalked: true, isSessionOver: false })).toBe("ask_later");
    expect(afterLookup({ ...parked, wasWalked: true, hasOrder: true })).toBe("ask_later");
    expect(canStillTurnUp(false, Infinity, 60_000)).toBe(true);
  });

  it("is asked with growing pauses, not beyond the window, and a sender past its deadline is asked about", () => {
    expect([0, 1, 2, 7, 8, 99].map((asked) => nextAskAtMs(0, asked))).toEqual([
      500, 1_000, 2_000, 60_000, 60_000, 60_000,
    ]);
    expect(nextAskAtMs(0, 5, 3_000)).toBe(3_000);
    expect([9, 10, 11].map((now) => isUnresolved("SUBMITTING", 10, now))).toEqual([false, false, true]);
    expect(isUnresolved("SUBMITTING", HOUR_MS, 0)).toBe(true);
    expect(isUnresolved("LIVE", 0, 1)).toBe(false);
  });

  it("what waits for a person is not asked for, however impatient the asker is", () => {
    expect(isLookupDue("PARKED", null, 1, true)).toBe(false);
    expect(isLookupDue("PARKED", 2, 1, true)).toBe(true);
    expect(isLookupDue("UNKNOWN", null, 1, false)).toBe(true);
    expect(isLookupDue("UNKNOWN", 2, 1, false)).toBe(false);
  });
});

describe("a person and a parked order", () => {
  const facts = { status: "PARKED", order: null, canStillTurnUp: false, wasSwept: true } as const;

  it("closes what can no longer turn up, and nothing that still can", () => {
    expect(closeParked(facts)).toEqual({ status: "EXPIRED" });
    expect(closeParked({ ...facts, canStillTurnUp: true })).toHaveProperty("refusal");
    expect(closeParked({ ...facts, wasSwept: false })).toHaveProperty("refusal");
    expect(closeParked({ ...facts, status: "LIVE" })).toHaveProperty("refusal");
  });

  it("closes what differs from the decision as cancelled; the decided order ends as it ended", () => {
    expect(closeParked({ ...facts, order: { status: "NEW", isSame: false } })).toEqual({ status: "CANCELED" });
    expect(closeParked({ ...facts, order: { status: "NEW", isSame: true } })).toHaveProperty("refusal");
    expect(closeParked({ ...facts, order: { status: "REPLACED", isSame: true } })).toHaveProperty("refusal");
    expect(closeParked({ ...facts, order: { status: "FILLED", isSame: true } })).toEqual({ status: "FILLED" });
  });

  it("resumes nothing while an order is in the air or the books were not read (H7)", () => {
    const live = { status: "LIVE", nextAskAt: null } as const;
    const asked = { status: "PARKED", nextAskAt: 1 } as const;
    expect(refusalToResume([live, asked], true)).toBeNull();
    for (const status of ["UNKNOWN", "SUBMITTING"] as const)
      expect(refusalToResume([live, { status, nextAskAt: 1 }], true)).toBe("in_the_air");
    expect(refusalToResume([asked, { status: "PARKED", nextAskAt: null }], true)).toBe("for_a_person");
    expect(refusalToResume([], false)).toBe("unread");
  });
});

describe("recovery and reports", () => {
  it("looks up what was being sent, halts what was not, and leaves the rest", () => {
    expect(INTENT_STATUSES.filter((status) => recoveryStep(status, true) === "ask")).toEqual(["SUBMITTING"]);
    expect(INTENT_STATUSES.filter((status) => recoveryStep(status, true) === "halt")).toEqual(["PLANNED", "GATED"]);
    expect(recoveryStep("PLANNED", false)).toBe("keep");
  });

  it("sends sales before purchases, each in the plan's order", () => {
    const legs = [
      { leg: 0, side: "BUY" },
      { leg: 3, side: "SELL" },
      { leg: 1, side: "SELL" },
      { leg: 2, side: "BUY" },
    ] as const;
    expect([...legs].sort(compareLegs).map(({ leg }) => leg)).toEqual([1, 3, 0, 2]);
  });

  it("an older report changes no order but for its end, and no report changes an end", () => {
    expect(orderAfterReport(null, "ACCEPTED", false)).toBe("ACCEPTED");
    expect(orderAfterReport("PENDING_CANCEL", "NEW", true)).toBe("PENDING_CANCEL");
    expect(orderAfterReport("NEW", "FILLED", true)).toBe("FILLED");
    for (const ended of ["FILLED", "CANCELED", "EXPIRED", "REJECTED", "REPLACED"] as const)
      for (const reported of ORDER_STATUSES) expect(orderAfterReport(ended, reported, false)).toBe(ended);
  });

  it("an order that turns up beside another one of its symbol and side halts the account", () => {
    expect(intentAfterReport("PARKED", "NEW", "none")).toEqual({ status: "LIVE", halts: false });
    expect(intentAfterReport("PARKED", "NEW", "open")).toEqual({ status: "PARKED", halts: true });
    expect(intentAfterReport("PARKED", "FILLED", "open")).toEqual({ status: "FILLED", halts: false });
    expect(intentAfterReport("LIVE", "PARTIALLY_FILLED", "open")).toEqual({ status: null, halts: false });
  });

  it("an order that turns up beside a sale without an answer waits for it; beside any other one it does not", () => {
    for (const unanswered of ["GATED", "SUBMITTING", "UNKNOWN"] as const) {
      expect(intentAfterReport("PARKED", "NEW", rivalOf("SELL", unanswered))).toEqual({ status: null, halts: false });
      expect(intentAfterReport("PARKED", "FILLED", rivalOf("SELL", unanswered)).status).toBe("FILLED");
      expect(intentAfterReport("PARKED", "NEW", rivalOf("BUY", unanswered)).halts).toBe(true);
    }
    expect(intentAfterReport("PARKED", "NEW", rivalOf("SELL", "LIVE")).halts).toBe(true);
    expect(intentAfterReport("PARKED", "NEW", rivalOf("SELL", null))).toEqual({ status: "LIVE", halts: false });
  });

  it("whatever an order says, its intent only goes where the table lets it; else the account halts", () => {
    for (const from of INTENT_STATUSES)
      for (const reported of ORDER_STATUSES)
        for (const rival of ["none", "unanswered_sale", "open"] as const) {
          const { status, halts } = intentAfterReport(from, reported, rival);
          if (status !== null) expect(status === from || mayBecome(from, status), `${from} ${reported}`).toBe(true);
          if (from === "FILLED" && reported !== "FILLED")
            expect({ status, halts }).toEqual({ status: null, halts: true });
        }
    expect(intentAfterReport("EXPIRED", "NEW", "none")).toEqual({ status: "LIVE", halts: false });
  });

  it("shares are free once their order is final, not when its cancel was asked for", () => {
    expect(releaseStep("PENDING_CANCEL", false)).toBe("wait");
    expect(releaseStep("PENDING_CANCEL", true)).toBe("give_up");
    expect(releaseStep(null, false)).toBe("wait");
    expect(releaseStep("CANCELED", true)).toBe("released");
  });

  it("lists are read again from before the watermark", () => {
    expect(readFromMs(null)).toBeNull();
    expect(readFromMs(1_000_000)).toBe(400_000);
  });
});

describe("a protective order", () => {
  const sale = { status: "UNKNOWN", isProtective: false, waitedMs: SUBMIT_DEADLINE_MS, mayBeThere: false } as const;

  it("passes a parked sale alone of what stands in the way of other orders", () => {
    expect(INTENT_STATUSES.filter((status) => blocksNewOrder(status) && !blocksNewOrder(status, true))).toEqual([
      "PARKED",
    ]);
  });

  it("waits for an open sale for a while, and replaces a stop that covers fewer shares", () => {
    expect(protectingStep({ ...sale, status: "LIVE", waitedMs: FILLING_MS - 1 })).toBe("wait");
    expect(protectingStep({ ...sale, status: "LIVE", waitedMs: FILLING_MS })).toBe("release");
    expect(protectingStep({ ...sale, status: "LIVE", isProtective: true })).toBe("release");
    for (const status of ["PARKED", "FILLED", "CANCELED", "EXPIRED", "REJECTED", "DENIED", "HALTED"] as const)
      expect(protectingStep({ ...sale, status })).toBe("nothing");
  });

  it("shares that the broker reserves beside our books, more or fewer, may be those of an order that we do not know", () => {
    expect(mayReserveUnknown(4, 4)).toBe(false);
    expect(mayReserveUnknown(6, 4)).toBe(true);
    // One of ours ended there, and the unknown one rests: fewer are reserved than our books say.
    expect(mayReserveUnknown(2, 4)).toBe(true);
    // A part of a share rests in no stop.
    expect(mayReserveUnknown(4.4, 4)).toBe(false);
  });

  it("waits for the answer of a sale as long as a request lives, and longer where the broker may keep shares for it", () => {
    for (const status of ["SUBMITTING", "UNKNOWN"] as const) {
      expect(protectingStep({ ...sale, status, waitedMs: SUBMIT_DEADLINE_MS - 1 })).toBe("wait");
      expect(protectingStep({ ...sale, status, mayBeThere: true })).toBe("wait");
      expect(protectingStep({ ...sale, status })).toBe("park");
    }
    for (const status of ["PLANNED", "GATED"] as const) expect(protectingStep({ ...sale, status })).toBe("halt");
  });

  it("gives a partly filled entry its time while the market is open", () => {
    expect(fillingStep(true, FILLING_MS - 1)).toBe("wait");
    expect(fillingStep(true, FILLING_MS)).toBe("release");
    expect(fillingStep(false, 0)).toBe("release");
  });
});
