import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { AUDIT_EVENTS, AUDIT_TOPICS, AUDIT_TOPIC_TEXT, auditEventsOf, auditText, auditTopic } from "./audit-events.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const NAME = /"([A-Z]+(?:_[A-Z]+)*)"/g;

/** Code that may write to the trail: every file but tests, what only tests are made of, and the trail itself. */
const sources = ["lib/server", "lib/admin", "workers", "scripts"]
  .flatMap((room) =>
    readdirSync(path.join(ROOT, room), { recursive: true, encoding: "utf8" }).map((file) => `${room}/${file}`),
  )
  .filter((file) => file.endsWith(".ts") && !/\.test\.ts$|\/bench\.ts$|^lib\/server\/audit\//.test(file))
  .map((file) => ({ file, text: readFileSync(path.join(ROOT, file), "utf8") }));

/** What a name is compared with is none. */
const namesIn = (text: string) => [...text.replaceAll(/=== "\w+"/g, "").matchAll(NAME)].map(([, name = ""]) => name);

/** The names that a file writes: said beside `eventType`, or handed to a function of the file that takes one. */
function eventsOf(text: string): string[] {
  const said = [...text.matchAll(/\beventType: ([^,;\n]*)/g)].flatMap(([, expression = ""]) => namesIn(expression));
  const takers = [...text.matchAll(/function (\w+)\([^)]*?\beventType: AuditEventType/g)].map(([, name = ""]) => name);
  const handed = takers.flatMap((taker) =>
    [...text.matchAll(new RegExp(`\\b${taker}\\(([^;]*?)[;{]`, "g"))].flatMap(([, given = ""]) => namesIn(given)),
  );
  return [...said, ...handed];
}

const written = [...new Set(sources.flatMap(({ text }) => eventsOf(text)))].sort();

const PROTECTS = { side: "SELL", qty: "17", symbol: "BA", purpose: "PROTECT", stopPrice: "332.55" };
const RAISED = { ...PROTECTS, decidedFor: "trailing_stop" };
const PLACED = { ...PROTECTS, decidedFor: "protect_position", reason: null };

describe("the words of the audit trail", () => {
  it("has a sentence for every event that the code writes, and none that it does not write", () => {
    expect(Object.keys(AUDIT_EVENTS).sort()).toEqual(written);
  });

  it("was compared with all that is written: no file records an event that was not found", () => {
    const recorders = sources.filter(({ text }) =>
      /\brecordAudit\(tx|\brecordAudit\(\w+, \{|\brecordEvent\([^;]*?\baudit: /.test(text),
    );
    expect(recorders.length).toBeGreaterThan(25);
    // A function that is handed the entry leaves its name to the caller.
    const isHanded = /entry: .*AuditEntry|audit\?: Pick<AuditEntry, "eventType"/;
    const silent = recorders.filter(({ text }) => eventsOf(text).length === 0 && !isHanded.test(text));
    expect(silent.map(({ file }) => file)).toEqual([]);
    expect(eventsOf('recordAudit(tx, { eventType: isOn ? "A_ON" : "A_OFF", at })')).toEqual(["A_ON", "A_OFF"]);
    expect(eventsOf('note(tx, "B_DONE");\nfunction note(tx: Tx, eventType: AuditEventType) {')).toEqual(["B_DONE"]);
  });

  it("reads well with every fact, with some and with none", () => {
    const full = {
      symbol: "AAPL",
      side: "BUY",
      qty: "10",
      reason: "entry_momentum",
      status: "REJECTED",
      to: "REDUCE_ONLY",
      before: "1",
      after: "2",
      session: "2020-02-03",
      count: 2,
      broker: "ALPACA",
      environment: "PAPER",
      purpose: "PROTECT",
      stopPrice: "332.55",
    };
    for (const eventType of Object.keys(AUDIT_EVENTS)) {
      for (const facts of [full, {}, { reason: null, symbol: 7, side: {}, to: "?", status: "?" }]) {
        const text = auditText(eventType, facts);
        expect(text, eventType).toMatch(/^[A-Z](?:\S| \S)/);
        expect(text, eventType).not.toMatch(/undefined|null|\[object|NaN|\s{2}|_/);
      }
    }
  });

  it.each([
    [
      "ORDER_DECIDED",
      { side: "BUY", qty: "10", symbol: "AAPL", reason: "entry_momentum" },
      "Decided to buy 10 AAPL: Momentum entry",
    ],
    ["ORDER_DECIDED", { side: "SELL", qty: "2.5", symbol: "F", status: "DENIED" }, "Refused to sell 2.5 F"],
    ["ORDER_SENT", { side: "BUY", qty: "10", symbol: "AAPL" }, "The order to buy 10 AAPL went to the broker"],
    ["ORDER_SENT", {}, "An order went to the broker"],
    ["ORDER_DECIDED", RAISED, "Decided to raise the stop of BA to $332.55"],
    ["ORDER_SENT", RAISED, "The raised stop for 17 BA at $332.55 went to the broker"],
    ["ORDER_ANSWERED", { ...RAISED, status: "LIVE" }, "Raised the stop of BA to $332.55"],
    ["ORDER_ANSWERED", { ...PLACED, status: "LIVE" }, "Placed a stop for 17 BA at $332.55"],
    ["ORDER_DECIDED", PLACED, "Decided to place a stop for 17 BA at $332.55"],
    ["ORDER_ANSWERED", { ...PLACED, status: "REJECTED" }, "The stop for 17 BA at $332.55 was rejected by the broker"],
    ["ORDER_DECIDED", { ...RAISED, purpose: "EXIT", reason: "trailing_stop" }, "Decided to sell 17 BA: Trailing stop"],
    [
      "ORDER_ANSWERED",
      { status: "REJECTED", reason: "insufficient buying power" },
      "An order was rejected by the broker: insufficient buying power",
    ],
    [
      "ORDER_PARKED",
      { side: "BUY", qty: "10", symbol: "F" },
      "The order to buy 10 F is parked: its outcome is not settled yet",
    ],
    [
      "WORKER_OUTAGE_CHECKED",
      { accounts: 1, found: [] },
      "While no trading worker ran, open entry orders were cancelled and held shares were checked for their stops",
    ],
    [
      "WORKER_OUTAGE_CHECKED",
      {
        accounts: 4,
        found: [
          { problem: "no answer", notCancelled: [] },
          { problem: null, notCancelled: ["SPY"] },
        ],
      },
      "While no trading worker ran, open entry orders were cancelled and held shares were checked for their stops; 1 account could not be checked; not every entry order was cancelled in 1 account",
    ],
    [
      "WORKER_OUTAGE_CHECKED",
      { accounts: 2, found: [{ problem: "no answer" }, { problem: "no answer" }] },
      "While no trading worker ran, none of the 2 accounts could be checked",
    ],
    ["KILL_STATE_SET", { to: "NO_NEW_ENTRIES", reason: "Holidays." }, "The account now buys nothing new: Holidays"],
    [
      "TRADING_PREFERENCES_CHANGED",
      { stopLoss: { from: 3, to: 4 }, maxPositions: {} },
      "Changed trading preferences: stop loss, max positions",
    ],
    ["ACCOUNT_ADDED", { broker: "PRACTICE", environment: "PAPER" }, "Connected an account on the practice market"],
    ["ACCOUNT_ADDED", { broker: "ALPACA", environment: "LIVE" }, "Connected an account at Alpaca (LIVE)"],
    [
      "SESSION_RECONCILED",
      { session: "2020-02-03", isClean: true },
      "Positions, orders and cash of 3 Feb 2020 agree with the broker's",
    ],
    ["ROTATION_EXECUTED", { legs: 1 }, "Executed a rotation plan of 1 order"],
    ["ROTATION_EXECUTED", { legs: 12 }, "Executed a rotation plan of 12 orders"],
    ["AUDIT_VERIFIED", { rows: 1 }, "Verified 1 event of the audit trail: it is as it was written"],
    ["AUDIT_VERIFIED", { rows: 90 }, "Verified 90 events of the audit trail: each is as it was written"],
    ["PROVIDERS_TESTED", { configured: 0, notWorking: [] }, "Tested the providers: none is configured"],
    ["PROVIDERS_TESTED", { configured: 2, notWorking: [] }, "Tested the providers: all configured ones work"],
    ["PROVIDERS_TESTED", { configured: 2, notWorking: ["CBOE"] }, "Tested the providers: CBOE did not work"],
    // Written before the queue is asked, which may not answer.
    ["JOBS_RETRIED", { all: true }, "Asked for all failed jobs to run again"],
    ["JOBS_RETRIED", { jobId: "7" }, "Asked for the job 7 to run again"],
    ["SOME_NEW_EVENT", {}, "Some new event"],
  ])("%s %j: %s", (eventType, facts, text) => {
    expect(auditText(eventType, facts)).toBe(text);
  });

  it("names the access token by which something was done, and not among what was changed", () => {
    const byToken = { accessTokenId: "0190", accessTokenEnd: "x_Y9" };
    expect(auditText("AUTOMATION_RESUMED", byToken)).toBe("Resumed automation (by the access token …x_Y9)");
    expect(auditText("TRADING_PREFERENCES_CHANGED", { profitTarget: [5, 6], ...byToken })).toBe(
      "Changed trading preferences: profit target (by the access token …x_Y9)",
    );
    expect(auditText("ACCESS_TOKEN_MADE", { scope: "READ", end: "x_Y9" })).toBe(
      "Made an access token that may read: …x_Y9",
    );
  });

  it("puts every event under one heading that has a name", () => {
    const all = AUDIT_TOPICS.flatMap(auditEventsOf);
    expect(all.sort()).toEqual(Object.keys(AUDIT_EVENTS).sort());
    for (const topic of AUDIT_TOPICS) {
      expect(auditEventsOf(topic).length, topic).toBeGreaterThan(0);
      expect(AUDIT_TOPIC_TEXT[topic], topic).toMatch(/^[A-Z]/);
    }
    expect(auditTopic("SOME_NEW_EVENT")).toBe("system");
  });
});

it("a change of the password that is refused is told without saying which of the two was wrong", () => {
  expect(auditText("PASSWORD_CHANGE_FAILED", {})).toBe(
    "A change of the password was refused: the email or the current password was wrong",
  );
});
