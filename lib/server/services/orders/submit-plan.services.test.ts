import { afterEach, describe, expect, it } from "vitest";
import type { Exchange } from "@/lib/exchange/start.ts";
import type { FaultInput } from "@/lib/exchange/faults.ts";
import type { Account } from "../../core/row-types.ts";
import type { Context } from "../../context.ts";
import { openBench } from "@/lib/proof/fixtures/bench.ts";
import {
  allPass,
  decide,
  failedGate,
  hastyBroker,
  orderByHand,
  otherSymbol,
  plannedOrder,
  testContext,
  truthOf,
  withBroker,
} from "@/lib/proof/fixtures/orders.ts";
import { inAccountQueue } from "../../core/account-queue.ts";
import { reconcileAccount } from "../sync/reconcile-account.ts";
import { resolveUnknownOrders } from "../sync/resolve-unknown-orders.ts";
import { submitPlan } from "./submit-plan.ts";

let exchange: Exchange;
let context: Context;
let account: Account;
openBench((bench) => ({ exchange, context, account } = bench));
afterEach(() => exchange.control.clearFaults());

const orders = () => truthOf(exchange, account).orders;
const intents = () => context.db.intent.findMany({ where: { accountId: account.id }, orderBy: { leg: "asc" } });
const only = async () => {
  const [intent, ...others] = await intents();
  if (!intent || others.length > 0) throw new Error("expected one intent");
  return intent;
};
const fault = (input: Omit<FaultInput, "method" | "path">) =>
  exchange.control.addFault({ method: "POST", path: "/v2/orders", ...input });
const submit = (decisionId: string, on = context, epoch = 0) => submitPlan(on, { decisionId, epoch, regate: allPass });
/** A limit order far from its fill: the market stands still, so it stays open. */
const entry = () => decide(context, account, [plannedOrder({ symbol: "SPY", type: "LIMIT", limitPrice: "50" })]);

describe("what the broker answers", () => {
  it("an accepted order is recorded with intent, two passed gates, order row and audit trail", async () => {
    const [sent] = await submit(await entry());
    expect(sent).toMatchObject({ status: "LIVE", reason: null });
    const intent = await context.db.intent.findFirstOrThrow({
      where: { accountId: account.id },
      include: { verdicts: { orderBy: { phase: "asc" } }, orders: true },
    });
    expect(intent.verdicts.map(({ phase, passed }) => ({ phase, passed }))).toEqual([
      { phase: "T1", passed: true },
      { phase: "T2", passed: true },
    ]);
    expect(intent.orders.map(({ clientOrderId, role, origin }) => ({ clientOrderId, role, origin }))).toEqual([
      { clientOrderId: intent.clientOrderId, role: "ENTRY", origin: "OURS" },
    ]);
    const trail = await context.db.auditEvent.findMany({
      where: { subjectUserId: account.userId },
      orderBy: { seq: "asc" },
    });
    expect(trail.map(({ eventType }) => eventType)).toEqual(["ORDER_DECIDED", "ORDER_SENT", "ORDER_ANSWERED"]);
    expect(orders()).toHaveLength(1);
  });

  it("a coded refusal is final and says why (B9)", async () => {
    await submit(await decide(context, account, [plannedOrder({ symbol: "SPY", qty: "100000" })]));
    expect(await only()).toMatchObject({
      status: "REJECTED",
      lastError: expect.stringContaining("40310000") as string,
    });
    expect(orders()).toHaveLength(0);
  });

  it("a 429 proves that nothing was taken: the same id goes out again, once (B7)", async () => {
    fault({ kind: "status", status: 429, headers: { "retry-after": "0" } });
    await submit(await entry());
    expect(await only()).toMatchObject({ status: "LIVE" });
    expect(orders()).toHaveLength(1);
  });

  it("a broker that keeps asking to wait gets no more than four requests (B7)", async () => {
    const throttle = fault({ kind: "status", status: 429, headers: { "retry-after": "0" }, count: 50 });
    await submit(await entry());
    expect(await only()).toMatchObject({ status: "REJECTED" });
    expect(throttle.struck).toBe(4);
    expect(orders()).toHaveLength(0);
  });

  it("refused keys halt the account", async () => {
    const broker = hastyBroker(account);
    const refusing = withBroker(context, {
      ...broker,
      submit: () => Promise.resolve({ kind: "keys_refused", message: "unauthorized." }),
    });
    await submit(await entry(), refusing);
    expect(await only()).toMatchObject({ status: "REJECTED" });
    const { haltReason } = await context.db.account.findUniqueOrThrow({ where: { id: account.id } });
    expect(haltReason).toContain("keys");
    expect((await submit(await entry()))[0]).toMatchObject({ status: "HALTED", reason: "the account is halted" });
  });
});

describe("an answer that is no answer", () => {
  const lost: [label: string, input: Omit<FaultInput, "method" | "path">][] = [
    ["the connection drops after the order was taken", { kind: "drop_after_accept" }],
    ["a 500 after the order was taken", { kind: "status_after_accept", status: 500 }],
    ["a 504 after the order was taken", { kind: "status_after_accept", status: 504 }],
    ["garbage with status 200", { kind: "garbage_200" }],
  ];
  for (const uniqueness of ["on", "off"])
    it.each(lost)(
      `%s: found, adopted, one order, client-id uniqueness ${uniqueness} (B3) (B6) (B14)`,
      async (_words, input) => {
        if (uniqueness === "off") exchange.control.addFault({ kind: "uniqueness_off" });
        fault(input);
        await submit(await entry());
        expect(await only()).toMatchObject({ status: "UNKNOWN" });
        const report = await resolveUnknownOrders(context, account.id, { isImpatient: true });
        expect(report).toMatchObject({ adopted: 1, stillUnknown: 0 });
        expect(await only()).toMatchObject({ status: "LIVE" });
        expect(orders()).toHaveLength(1);
      },
    );

  it.each<[label: string, input: Omit<FaultInput, "method" | "path">]>([
    ["the connection drops before the order was taken", { kind: "drop_before_accept" }],
    ["a 503 before the order was taken", { kind: "status", status: 503 }],
  ])("%s: looked up, parked, never sent again, expired after its session (B2) (B5)", async (_words, input) => {
    const post = fault(input);
    const decisionId = await entry();
    await submit(decisionId);
    expect(await only()).toMatchObject({ status: "UNKNOWN" });
    await resolveUnknownOrders(context, account.id, { isImpatient: true });
    expect(await only()).toMatchObject({ status: "UNKNOWN", askCount: 1 });
    const report = await resolveUnknownOrders(context, account.id, { isImpatient: true, settleWindowMs: 0 });
    expect(report).toMatchObject({ parked: 1, stillUnknown: 0 });
    await submit(decisionId);
    expect(post.struck).toBe(1);
    expect(orders()).toHaveLength(0);
    await exchange.control.clock({ advanceMinutes: 390 });
    // The market's day is over, but not the time that a request may take to get there.
    expect(await resolveUnknownOrders(context, account.id, { isImpatient: true })).toMatchObject({ expired: 0 });
    expect(await only()).toMatchObject({ status: "PARKED" });
    const end = await resolveUnknownOrders(context, account.id, { isImpatient: true, settleWindowMs: 0 });
    expect(end).toMatchObject({ expired: 1 });
    expect(await only()).toMatchObject({ status: "EXPIRED" });
  });

  it("a request that hangs times out, and its outcome is unknown from then on (B15)", async () => {
    fault({ kind: "hang", ms: 2_000 });
    const hasty = withBroker(context, hastyBroker(account));
    await submit(await entry(), hasty);
    expect(await only()).toMatchObject({
      status: "UNKNOWN",
      lastError: expect.stringMatching(/timeout|no answer/i) as string,
    });
  });

  for (const uniqueness of ["on", "off"])
    it(`an order taken after we parked it is adopted, and stays one order, client-id uniqueness ${uniqueness} (B4)`, async () => {
      if (uniqueness === "off") exchange.control.addFault({ kind: "uniqueness_off" });
      fault({ kind: "late_accept", ms: 700 });
      const decisionId = await entry();
      await submit(decisionId, withBroker(context, hastyBroker(account, 100)));
      await resolveUnknownOrders(context, account.id, { isImpatient: true, settleWindowMs: 0 });
      expect(await only()).toMatchObject({ status: "PARKED" });
      expect(orders()).toHaveLength(0);
      await submit(decisionId);
      await expect.poll(() => orders().length, { timeout: 5_000 }).toBe(1);
      await resolveUnknownOrders(context, account.id, { isImpatient: true });
      expect(await only()).toMatchObject({ status: "LIVE" });
      expect(orders()).toHaveLength(1);
    });

  it("a lookup that lags behind is no proof: the order is found among all orders (B16)", async () => {
    exchange.control.addFault({ kind: "lookup_lag", ms: 60_000 });
    fault({ kind: "drop_after_accept" });
    await submit(await entry());
    await resolveUnknownOrders(context, account.id, { isImpatient: true });
    expect(await only()).toMatchObject({ status: "UNKNOWN" });
    await resolveUnknownOrders(context, account.id, { isImpatient: true, settleWindowMs: 0 });
    expect(await only()).toMatchObject({ status: "LIVE" });
    expect(orders()).toHaveLength(1);
  });
});

describe("beside what is not known", () => {
  const parked = async () => {
    fault({ kind: "drop_before_accept" });
    await submit(await entry());
    await resolveUnknownOrders(context, account.id, { isImpatient: true, settleWindowMs: 0 });
    expect(await only()).toMatchObject({ status: "PARKED" });
  };

  it("a parked order stands in the way of another one of its symbol and side: it may still turn up", async () => {
    await parked();
    expect((await submit(await entry()))[0]).toMatchObject({ status: "SKIPPED" });
    expect(orders()).toHaveLength(0);
  });

  it("a parked order whose id another client used is found once, and then waits for a person", async () => {
    await parked();
    const { clientOrderId } = await only();
    await hastyBroker(account).submit(orderByHand({ clientOrderId, qty: "11" }));
    await resolveUnknownOrders(context, account.id, { isImpatient: true });
    expect(await only()).toMatchObject({ status: "PARKED", nextAskAt: null });
    expect(await resolveUnknownOrders(context, account.id, { isImpatient: true })).toMatchObject({ adopted: 0 });
  });

  it("after a wait that the broker asked for, the settle window begins with the request that was sent last", async () => {
    fault({ kind: "status", status: 429, headers: { "retry-after": "0" } });
    let marks = 0;
    const db = context.db.$extends({
      query: {
        intent: {
          updateManyAndReturn: ({ args, query }) => {
            if (args.data.submitDeadline) marks += 1;
            return query(args);
          },
        },
      },
    }) as unknown as Context["db"];
    await submit(await entry(), { ...context, db });
    const { submittedAt, submitDeadline } = await only();
    expect(marks).toBe(2);
    expect((submitDeadline?.getTime() ?? 0) - (submittedAt?.getTime() ?? 0)).toBe(15_000);
  });
});

describe("once and only once", () => {
  it("the same plan submitted again sends nothing", async () => {
    const decisionId = await entry();
    await submit(decisionId);
    const again = await submit(decisionId);
    expect(again[0]).toMatchObject({ status: "LIVE" });
    expect(orders()).toHaveLength(1);
  });

  for (const uniqueness of ["on", "off"])
    it(`two writers at once make one order, client-id uniqueness ${uniqueness} (W9)`, async () => {
      if (uniqueness === "off") exchange.control.addFault({ kind: "uniqueness_off" });
      const decisionId = await decide(context, account, [
        plannedOrder({ symbol: "SPY", leg: 0, type: "LIMIT", limitPrice: "50" }),
        plannedOrder({ symbol: await otherSymbol(exchange), leg: 1, type: "LIMIT", limitPrice: "1" }),
      ]);
      await Promise.all([submit(decisionId), submit(decisionId), submit(decisionId, testContext())]);
      const ids = orders().map((order) => order.client_order_id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).toHaveLength(2);
    });

  it("a second decision for the same symbol and side waits for the first", async () => {
    await submit(await entry());
    const [second] = await submit(await entry());
    expect(second).toMatchObject({ status: "SKIPPED" });
    expect(orders()).toHaveLength(1);
  });

  it("a second order with the id of a filled one halts the account, and leaves the decision filled", async () => {
    exchange.control.addFault({ kind: "uniqueness_off" });
    await submit(await decide(context, account, [plannedOrder({ symbol: "SPY" })]));
    await exchange.control.clock({ advanceMinutes: 1 });
    await reconcileAccount(context, account.id);
    const { clientOrderId, status } = await only();
    expect(status).toBe("FILLED");
    await hastyBroker(account, 5_000).submit(orderByHand({ clientOrderId, qty: "10" }));
    await reconcileAccount(context, account.id);
    expect(await only()).toMatchObject({ status: "FILLED" });
    const { haltReason } = await context.db.account.findUniqueOrThrow({ where: { id: account.id } });
    expect(haltReason).toContain("an order of a decision that is FILLED");
  });

  it("an order that has our id already is adopted when it is the same, else parked, and the account halts (B12)", async () => {
    const broker = hastyBroker(account);
    const idOf = (decisionId: string) => `tw-${decisionId}-${account.id.slice(-8)}-0-1`;
    const same = await entry();
    await broker.submit(orderByHand({ qty: "10", clientOrderId: idOf(same) }));
    expect((await submit(same))[0]).toMatchObject({ status: "LIVE" });
    await context.db.intent.updateMany({ where: { planId: same }, data: { status: "CANCELED" } });
    const other = await entry();
    await broker.submit(orderByHand({ qty: "11", clientOrderId: idOf(other) }));
    expect((await submit(other))[0]).toMatchObject({ status: "PARKED" });
    const { haltReason } = await context.db.account.findUniqueOrThrow({ where: { id: account.id } });
    expect(haltReason).toContain("quantity 11 instead of 10");
  });
});

describe("the last look before sending", () => {
  const stops: [string, () => Promise<unknown>, string][] = [
    [
      "the system's kill switch",
      () => context.db.systemState.update({ where: { id: 1 }, data: { killState: "NO_NEW_ENTRIES" } }),
      "kill switch of the system",
    ],
    [
      "the account's kill switch",
      () => context.db.account.update({ where: { id: account.id }, data: { killState: "REDUCE_ONLY" } }),
      "kill switch of the account",
    ],
    [
      "the user's pause",
      () => context.db.user.update({ where: { id: account.userId }, data: { automationPausedAt: new Date() } }),
      "automation is paused",
    ],
    [
      "erased keys",
      () => context.db.account.update({ where: { id: account.id }, data: { sealedKeys: null } }),
      "no keys",
    ],
    [
      "a paused account",
      () => context.db.account.update({ where: { id: account.id }, data: { status: "PAUSED" } }),
      "paused",
    ],
    [
      "a new writer",
      () => context.db.account.update({ where: { id: account.id }, data: { writerEpoch: 5 } }),
      "another writer",
    ],
    [
      "a halt",
      () => context.db.account.update({ where: { id: account.id }, data: { haltedAt: new Date(), haltReason: "x" } }),
      "halted",
    ],
  ];
  afterEach(() => context.db.systemState.update({ where: { id: 1 }, data: { killState: "NONE" } }));

  it.each(stops)("%s thrown between decision and call stops the order", async (_, stop, reason) => {
    const decisionId = await entry();
    const regate = async () => {
      await stop();
      return allPass();
    };
    const [leg] = await submitPlan(context, { decisionId, epoch: 0, regate });
    expect(leg).toMatchObject({ status: "HALTED", reason: expect.stringContaining(reason) as string });
    expect(orders()).toHaveLength(0);
  });

  it("the kill switch thrown while the broker asks to wait stops the order: its id does not go out again (H6)", async () => {
    const throttle = fault({ kind: "status", status: 429, headers: { "retry-after": "0" }, count: 5 });
    const sending = submit(await entry());
    await expect.poll(() => throttle.struck, { timeout: 5_000 }).toBe(1);
    await context.db.systemState.update({ where: { id: 1 }, data: { killState: "NO_NEW_ENTRIES" } });
    expect((await sending)[0]).toMatchObject({
      status: "HALTED",
      reason: expect.stringContaining("kill switch of the system") as string,
    });
    expect(throttle.struck).toBe(1);
    expect(orders()).toHaveLength(0);
  });

  it("an order that waits behind other work of its account asks the switches again: a stop thrown meanwhile holds (H6)", async () => {
    let letGo = () => undefined as void;
    const busy = inAccountQueue(account.id, () => new Promise<void>((resolve) => (letGo = resolve)));
    const sending = submit(await entry());
    const sendingNow = () => context.db.intent.count({ where: { accountId: account.id, status: "SUBMITTING" } });
    await expect.poll(sendingNow, { timeout: 10_000 }).toBe(1);
    await context.db.account.update({
      where: { id: account.id },
      data: { killState: "NO_NEW_ENTRIES", killReason: "test", killSource: "OWNER", killSetAt: new Date() },
    });
    const marked = await context.db.intent.findFirstOrThrow({ where: { accountId: account.id } });
    const age = () => Date.now() - (marked.submittedAt ?? marked.createdAt).getTime();
    await expect.poll(age, { timeout: 10_000 }).toBeGreaterThan(600);
    letGo();
    await busy;
    expect((await sending)[0]).toMatchObject({
      status: "HALTED",
      reason: "kill switch of the account: no new entries",
    });
    expect(orders()).toHaveLength(0);
  });

  it("a gate that fails at the second asking denies the order, and the verdict is kept", async () => {
    const [leg] = await submitPlan(context, { decisionId: await entry(), epoch: 0, regate: () => [failedGate] });
    expect(leg).toMatchObject({ status: "DENIED", reason: "order rate: 61 of 60 orders" });
    expect(orders()).toHaveLength(0);
    const verdicts = await context.db.gateVerdict.findMany({
      where: { intent: { accountId: account.id } },
      orderBy: { phase: "asc" },
    });
    expect(verdicts.map(({ phase, passed }) => [phase, passed])).toEqual([
      ["T1", true],
      ["T2", false],
    ]);
  });

  it("a plan with a failed gate never gets as far as an order", async () => {
    const decisionId = await decide(context, account, [plannedOrder({ symbol: "SPY", gates: [failedGate] })]);
    expect((await submit(decisionId))[0]).toMatchObject({ status: "DENIED" });
    expect(orders()).toHaveLength(0);
  });

  it("a live account is not traded while the user wants paper only", async () => {
    await context.db.account.update({
      where: { id: account.id },
      data: { broker: "ALPACA", market: "US", environment: "LIVE", liveConfirmedAt: new Date() },
    });
    const live = withBroker(context, hastyBroker(account));
    const decisionId = await decide(live, account, [plannedOrder({ symbol: "SPY" })]);
    expect((await submit(decisionId, live))[0]).toMatchObject({
      status: "HALTED",
      reason: "live trading is switched off",
    });
    expect(orders()).toHaveLength(0);
  });

  it("a process that slept past its deadline between mark and call does not send (W10)", async () => {
    let isAsleep = false;
    const now = () => new Date(Date.now() + (isAsleep ? 60_000 : 0));
    // The mark is the last audited step before the call: the process sleeps from then on.
    const db = context.db.$extends({
      query: {
        $executeRaw: ({ args, query }) => {
          isAsleep ||= args.values.includes("ORDER_SENT");
          return query(args);
        },
      },
    }) as unknown as Context["db"];
    const [leg] = await submit(await entry(), { ...context, db, now });
    expect(leg).toMatchObject({ status: "HALTED", reason: "not sent before its deadline" });
    expect(orders()).toHaveLength(0);
  });
});
