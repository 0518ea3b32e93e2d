import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Exchange } from "@/lib/exchange/start.ts";
import type { Context } from "@/lib/server/context.ts";
import { db } from "@/lib/server/db.ts";
import { openBench } from "@/lib/proof/fixtures/bench.ts";
import { ageFills, allPass, buyBracket, decide, hastyBroker, plannedOrder } from "@/lib/proof/fixtures/orders.ts";
import type { Account } from "@/lib/server/core/row-types.ts";
import { reconcileAccount } from "@/lib/server/services/sync/reconcile-account.ts";
import { submitPlan } from "@/lib/server/services/orders/submit-plan.ts";
import { makeSignIn, makeUser } from "@/prisma/factories.ts";
import { callDoor, type Door } from "@/lib/proof/call-door.ts";
import * as bookActivityDoor from "../accounts/[id]/activities/book/route.ts";
import * as closeAccountDoor from "../accounts/[id]/close/route.ts";
import * as dismissDoor from "../accounts/[id]/activities/dismiss/route.ts";
import * as previewActivityDoor from "../accounts/[id]/activities/preview/route.ts";
import * as previewDoor from "../accounts/[id]/books/preview/route.ts";
import * as booksDoor from "../accounts/[id]/books/route.ts";
import * as resumeDoor from "../accounts/[id]/resume/route.ts";
import * as closeDoor from "../all-trades/[id]/close-unknown/route.ts";
import * as mailDoor from "../mails/[id]/send-again/route.ts";
import * as mailsDoor from "../mails/send-again/route.ts";
import * as parkedDoor from "../parked/[id]/route.ts";
import * as door from "./route.ts";

type Rows = { total: number; rows: { id?: string; accountId?: string; [name: string]: unknown }[] };
type Operations = Record<"halted" | "working" | "activities" | "mails", Rows> & {
  parked: Rows & { needPerson: number };
};

let exchange: Exchange;
let context: Context;
let account: Account;
let adminId: string;
let token: string;

openBench((bench) => ({ exchange, context, account } = bench));
beforeEach(async () => {
  await reconcileAccount(context, account.id);
  const admin = await makeUser(db(), { role: "ADMIN" });
  adminId = admin.id;
  token = await makeSignIn(db(), admin);
});
afterEach(async () => {
  exchange.control.clearFaults();
  await db().account.updateMany({ data: { deletedAt: new Date(), sealedKeys: null, status: "INACTIVE" } });
  await db().quarantinedActivity.deleteMany();
  await db().outbox.deleteMany();
});

const post = (to: Door, id: string, body: object = {}, by = token) =>
  callDoor(to, "POST", { token: by, params: { id }, body });
const read = async () => (await callDoor(door, "GET", { token })).json?.data as unknown as Operations;
const audits = (eventType: string) => db().auditEvent.count({ where: { eventType, actorUserId: adminId } });
const row = () => db().account.findUniqueOrThrow({ where: { id: account.id } });
const halt = (haltReason = "an invariant is broken") =>
  db().account.update({ where: { id: account.id }, data: { haltedAt: new Date(), haltReason } });
async function send(order: Parameters<typeof plannedOrder>[0]) {
  const decisionId = await decide(context, account, [plannedOrder(order)]);
  return (await submitPlan(context, { decisionId, epoch: (await row()).writerEpoch, regate: allPass }))[0];
}
const resting = { symbol: "SPY", type: "LIMIT", limitPrice: "50" } as const;

describe("halted accounts", () => {
  it("are listed with owner and reason, and resumed once with a reason, by administrators alone", async () => {
    await halt();
    expect((await read()).halted.rows).toMatchObject([
      { accountId: account.id, reason: "an invariant is broken", environment: "PRACTICE", isDrawdownHalted: false },
    ]);
    expect(await post(resumeDoor, account.id, {})).toMatchObject({ status: 400 });
    const theirs = await makeSignIn(db(), await makeUser(db()));
    expect(await post(resumeDoor, account.id, { reason: "x" }, theirs)).toMatchObject({ status: 403 });
    expect(await post(resumeDoor, randomUUID(), { reason: "x" })).toMatchObject({ status: 404 });
    expect(await post(resumeDoor, account.id, { reason: "cause is gone" })).toMatchObject({
      status: 200,
      json: { data: { isResumed: true, isDrawdownHaltLifted: false, highWaterMark: null } },
    });
    expect(await row()).toMatchObject({ haltedAt: null, haltReason: null });
    expect(await post(resumeDoor, account.id, { reason: "again" })).toMatchObject({
      json: { data: { isResumed: false } },
    });
    expect(await audits("ACCOUNT_RESUMED")).toBe(1);
    expect((await read()).halted).toEqual({ total: 0, rows: [] });
    expect(await send(resting)).toMatchObject({ status: "LIVE" });
  });

  it("stay halted while the broker is unreachable, and resume once the cause is gone", async () => {
    await halt();
    exchange.control.addFault({ kind: "status", status: 503, count: 0 });
    expect(await post(resumeDoor, account.id, { reason: "try" })).toMatchObject({ status: 503 });
    expect((await row()).haltedAt).not.toBeNull();
    exchange.control.clearFaults();
    expect(await post(resumeDoor, account.id, { reason: "broker is back" })).toMatchObject({ status: 200 });
    expect(await audits("ACCOUNT_RESUMED")).toBe(1);
  });

  it("stay halted while the broker blocks them: the next reading would halt them again", async () => {
    exchange.control.addFault({ kind: "account_blocked", account: account.brokerAccountId });
    await reconcileAccount(context, account.id);
    expect(await row()).toMatchObject({ haltReason: "The broker blocked trading for this account." });
    expect(await post(resumeDoor, account.id, { reason: "try" })).toMatchObject({
      status: 409,
      json: { error: "The broker still blocks trading for this account." },
    });
    exchange.control.clearFaults();
    expect(await post(resumeDoor, account.id, { reason: "unblocked" })).toMatchObject({ status: 200 });
  });

  it("take over exactly the books that the preview showed, and are resumed after it", async () => {
    await send({ symbol: "SPY", qty: "10" });
    await exchange.control.clock({ advanceMinutes: 1 });
    await reconcileAccount(context, account.id);
    await ageFills(context, account);
    // Our books lose two shares: what the broker says wins, by a person's word.
    const lot = await db().lot.findFirstOrThrow({ where: { accountId: account.id } });
    await db().lot.update({ where: { id: lot.id }, data: { qtyRemaining: "8" } });
    await db().position.updateMany({ where: { accountId: account.id }, data: { qty: "8" } });
    await halt("Positions differ");
    expect(await post(resumeDoor, account.id, { reason: "try" })).toMatchObject({ status: 409 });
    const preview = await post(previewDoor, account.id);
    expect(preview).toMatchObject({
      status: 200,
      json: { data: { adjustments: [{ symbol: "SPY", ours: "8", theirs: "10", side: "BUY", qty: "2" }] } },
    });
    const { hash } = preview.json?.data as unknown as { hash: string };
    expect(await post(booksDoor, account.id, { hash: "another", reason: "x" })).toMatchObject({ status: 409 });
    expect(await audits("BROKER_BOOKS_TAKEN")).toBe(0);
    expect(await post(booksDoor, account.id, { hash, reason: "a lost fill" })).toMatchObject({
      status: 200,
      json: { data: { differing: [] } },
    });
    expect(await audits("BROKER_BOOKS_TAKEN")).toBe(1);
    expect((await row()).haltedAt).not.toBeNull();
    expect(await post(resumeDoor, account.id, { reason: "books taken" })).toMatchObject({ status: 200 });
  });
});

describe("parked orders", () => {
  async function park(): Promise<string> {
    exchange.control.addFault({ method: "POST", path: "/v2/orders", kind: "status", status: 503 });
    expect(await send(resting)).toMatchObject({ status: "UNKNOWN" });
    exchange.control.clearFaults();
    const { id } = await db().intent.findFirstOrThrow({ where: { accountId: account.id } });
    // An order of a session that is over can no longer turn up.
    await exchange.control.clock({ advanceMinutes: 24 * 60 });
    const longAgo = new Date(Date.now() - 60 * 60_000);
    await db().intent.update({
      where: { id },
      data: { status: "PARKED", nextAskAt: null, submittedAt: longAgo, submitDeadline: longAgo },
    });
    return id;
  }

  it("are listed, and given up once: the broker never had it", async () => {
    const id = await park();
    expect((await read()).parked.rows).toMatchObject([
      { id, side: "BUY", qty: "10", symbol: "SPY", needsPerson: true },
    ]);
    expect(await post(parkedDoor, id, { resolution: "give_up" })).toMatchObject({ status: 400 });
    expect(await post(parkedDoor, id, { resolution: "adopt", reason: "x" })).toMatchObject({ status: 409 });
    expect(await post(parkedDoor, id, { resolution: "give_up", reason: "lost on the way" })).toMatchObject({
      status: 200,
      json: { data: { order: "none" } },
    });
    expect(await post(parkedDoor, id, { resolution: "give_up", reason: "again" })).toMatchObject({ status: 409 });
    expect(await audits("ORDER_RESOLVED")).toBe(1);
    expect((await read()).parked.total).toBe(0);
  });

  it("need a person only once the broker is no longer asked: the others settle by themselves", async () => {
    const id = await park();
    expect((await read()).parked).toMatchObject({ total: 1, needPerson: 1 });
    await db().intent.update({ where: { id }, data: { nextAskAt: new Date() } });
    expect((await read()).parked).toMatchObject({ total: 1, needPerson: 0, rows: [{ needsPerson: false }] });
  });

  it("that do not exist are not found", async () => {
    expect(await post(parkedDoor, randomUUID(), { resolution: "adopt", reason: "x" })).toMatchObject({ status: 404 });
  });
});

describe("orders that the broker does not know", () => {
  it("are listed where the account is halted, named where they are why, and closed after two looks at the broker", async () => {
    expect(await send(resting)).toMatchObject({ status: "LIVE" });
    const order = await db().order.findFirstOrThrow({ where: { accountId: account.id } });
    expect((await read()).working.total).toBe(0);
    await halt();
    expect((await read()).working.rows).toMatchObject([{ id: order.id, isMissing: false }]);
    await db().order.update({ where: { id: order.id }, data: { createdAt: new Date(Date.now() - 60 * 60_000) } });
    expect(await post(closeDoor, order.id, { reason: "x" })).toMatchObject({ status: 409 });
    expect(await audits("ORDER_CLOSED_UNKNOWN")).toBe(0);

    // The broker loses the order: it is no longer found by any of its ids.
    await hastyBroker(account, 5_000).cancel(order.brokerOrderId);
    const lost = { brokerOrderId: randomUUID(), clientOrderId: `lost-${randomUUID()}` };
    await db().order.update({ where: { id: order.id }, data: { ...lost, status: "NEW", endedAt: null } });
    await db().intent.updateMany({ where: { accountId: account.id }, data: { clientOrderId: lost.clientOrderId } });
    await halt("The broker does not know our orders");
    await db().order.update({ where: { id: order.id }, data: { missingSince: new Date() } });
    expect((await read()).working.rows).toMatchObject([{ id: order.id, isMissing: true }]);
    expect(await post(closeDoor, order.id, { reason: "not at the broker" })).toMatchObject({
      status: 200,
      json: { data: { closed: [lost.clientOrderId] } },
    });
    expect(await db().order.findUniqueOrThrow({ where: { id: order.id } })).toMatchObject({ status: "CANCELED" });
    expect(await audits("ORDER_CLOSED_UNKNOWN")).toBe(1);
  });
});

describe("activities that wait", () => {
  const wait = (activityId: string) =>
    db().quarantinedActivity.create({
      data: {
        accountId: account.id,
        activityId,
        type: "SPIN",
        symbol: "NEWCO",
        qty: "5",
        amount: "0",
        date: new Date("2020-01-02"),
      },
    });

  it("are listed, and dismissed once with a reason", async () => {
    await wait("spin-1");
    expect((await read()).activities.rows).toMatchObject([{ activityId: "spin-1", type: "SPIN", symbol: "NEWCO" }]);
    const body = { activityIds: ["spin-1"], reason: "booked by hand" };
    expect(await post(dismissDoor, account.id, { activityIds: ["spin-1"] })).toMatchObject({ status: 400 });
    expect(await post(dismissDoor, account.id, body)).toMatchObject({ status: 200, json: { data: { dismissed: 1 } } });
    expect(await post(dismissDoor, account.id, body)).toMatchObject({ status: 409 });
    expect(await audits("ACTIVITY_DISMISSED")).toBe(1);
    expect((await read()).activities.total).toBe(0);
  });

  it("are booked only as a preview showed them: without shares to come from there is none", async () => {
    await wait("spin-2");
    const choice = { activityIds: ["spin-2"], source: "SPY", costShares: { NEWCO: "0.1" } };
    expect(await post(previewActivityDoor, account.id, choice)).toMatchObject({
      status: 409,
      json: { error: "No SPY was held at the date of the activity." },
    });
    expect(await post(bookActivityDoor, account.id, { ...choice, hash: "x", reason: "y" })).toMatchObject({
      status: 409,
    });
    const share = { ...choice, costShares: { NEWCO: "1.5" } };
    expect(await post(previewActivityDoor, account.id, share)).toMatchObject({ status: 400 });
    expect(await audits("ACTIVITY_BOOKED")).toBe(0);
  });
});

it("an account that is closed with its positions sells them first: it is flattened, buys nothing, and says why", async () => {
  await buyBracket(exchange, context, account);
  await db().position.updateMany({ where: { accountId: account.id }, data: { strategy: "MOMENTUM" } });
  expect(await post(closeAccountDoor, account.id, { closePositions: true, reason: "fraud" })).toMatchObject({
    status: 200,
    json: { data: { state: "closing" } },
  });
  expect(await row()).toMatchObject({
    killState: "FLATTEN",
    killSource: "ADMIN",
    killReason: "An administrator closes the account, its positions are sold first: fraud",
    closingAt: expect.any(Date) as Date,
    deletedAt: null,
  });
  expect(await send(resting)).toMatchObject({ status: "HALTED", reason: "kill switch of the account: flatten" });
  expect(await audits("ACCOUNT_CLOSING")).toBe(1);
});

describe("mails that failed", () => {
  const fail = (props: object = {}, template = "system-alert") =>
    db().outbox.create({
      data: {
        dedupeKey: randomUUID(),
        userId: account.userId,
        recipient: "ada@example.com",
        template,
        props,
        attempts: 10,
        failedAt: new Date(),
        lastError: "connection refused",
      },
    });

  it("are listed and started again once, each with one audit row", async () => {
    const { id } = await fail();
    expect((await read()).mails.rows).toMatchObject([
      { id, recipient: "ada@example.com", error: "connection refused" },
    ]);
    expect(await post(mailDoor, id)).toMatchObject({ status: 200, json: { data: { queued: 1 } } });
    expect(await db().outbox.findUniqueOrThrow({ where: { id } })).toMatchObject({ failedAt: null, attempts: 0 });
    expect(await post(mailDoor, id)).toMatchObject({ status: 409 });
    expect(await post(mailDoor, randomUUID())).toMatchObject({ status: 404 });
    expect(await audits("MAILS_SENT_AGAIN")).toBe(1);
  });

  it("whose link has expired stay as they are, alone and among all", async () => {
    const link = await db().emailToken.create({
      data: {
        userId: account.userId,
        kind: "RESET_PASSWORD",
        tokenHash: randomUUID(),
        createdAt: new Date(0),
        expiresAt: new Date(1000),
      },
    });
    const expired = await fail({ firstName: "Ada", emailTokenId: link.id }, "reset-password");
    // More of them, and longer ago, than are sent at once.
    await db().outbox.createMany({
      data: Array.from({ length: 500 }, () => ({
        ...expired,
        id: randomUUID(),
        dedupeKey: randomUUID(),
        props: { emailTokenId: link.id },
      })),
    });
    const others = [await fail(), await fail()];
    expect(await post(mailDoor, expired.id)).toMatchObject({ status: 409 });
    expect(await callDoor(mailsDoor, "POST", { token, body: {} })).toMatchObject({ json: { data: { queued: 2 } } });
    expect(await callDoor(mailsDoor, "POST", { token, body: {} })).toMatchObject({ json: { data: { queued: 0 } } });
    const again = await db().outbox.findMany({ where: { failedAt: null } });
    expect(again.map(({ id }) => id).sort()).toEqual(others.map(({ id }) => id).sort());
    expect(await audits("MAILS_SENT_AGAIN")).toBe(1);
  });
});
