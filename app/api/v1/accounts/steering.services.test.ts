/** What an owner does with an account that is there: pause, resume, confirm, close and delete it, through the doors. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Exchange } from "@/lib/exchange/start.ts";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { flattenAccount } from "@/lib/server/services/automation/flatten-account.ts";
import { setAccountKillState } from "@/lib/server/services/automation/set-kill-state.ts";
import { withAccountWriter } from "@/lib/server/core/account-writer.ts";
import {
  allPass,
  buyBracket,
  CONTROL_TOKEN,
  decide,
  hastyBroker,
  openAccount,
  plannedOrder,
  startBench,
  testContext,
  truthOf,
  withBroker,
} from "@/lib/proof/fixtures/orders.ts";
import { reconcileAccount } from "@/lib/server/services/sync/reconcile-account.ts";
import type { Account } from "@/lib/server/core/row-types.ts";
import { submitPlan } from "@/lib/server/services/orders/submit-plan.ts";
import { closeAccount } from "@/lib/server/services/accounts/close-account.ts";
import { syncOrders } from "@/lib/server/services/accounts/sync-orders.ts";
import { makeAccount, makeSignIn, makeUser } from "@/prisma/factories.ts";
import { callDoor, type Call } from "@/lib/proof/call-door.ts";
import * as confirmDoor from "./[id]/confirm-live/route.ts";
import * as resumeDoor from "./[id]/resume/route.ts";
import * as accountDoor from "./[id]/route.ts";
import * as accountsDoor from "./route.ts";

const context = testContext();
let exchange: Exchange;
let account: Account;
let token: string;

beforeAll(async () => {
  exchange = await startBench();
  process.env.EXCHANGE_CONTROL_TOKEN = CONTROL_TOKEN;
  forgetEnv();
});
afterAll(() => exchange.close());
beforeEach(async () => {
  account = await openAccount(context);
  const owner = await db().user.update({ where: { id: account.userId }, data: { emailVerifiedAt: new Date() } });
  token = await makeSignIn(db(), owner);
  await reconcileAccount(context, account.id);
});

const send = (door: Parameters<typeof callDoor>[0], method: string, call: Call = {}, id = account.id) =>
  callDoor(door, method, { token, params: { id }, ...call });
const setStatus = (status: string, id?: string) => send(accountDoor, "PATCH", { body: { status } }, id);
const resume = (body: object = {}, id?: string) => send(resumeDoor, "POST", { body }, id);
const confirm = (confirmation: string, id?: string) => send(confirmDoor, "POST", { body: { confirmation } }, id);
const remove = (query = "") => send(accountDoor, "DELETE", { query });
const row = () => db().account.findUniqueOrThrow({ where: { id: account.id } });
const audits = (eventType: string) => db().auditEvent.findMany({ where: { subjectUserId: account.userId, eventType } });
const listed = async () =>
  (
    (await callDoor(accountsDoor, "GET", { token })).json?.data as unknown as (Record<string, unknown> & {
      id: string;
    })[]
  ).find(({ id }) => id === account.id);
const openOrders = () =>
  truthOf(exchange, account).orders.filter(({ status }) => ["new", "accepted", "held", "pending_new"].includes(status));
const submit = async (...orders: Parameters<typeof plannedOrder>[0][]) => {
  const plan = orders.map((order, leg) => plannedOrder({ leg, ...order }));
  const decisionId = await decide(context, account, plan);
  return submitPlan(context, { decisionId, epoch: (await row()).writerEpoch, regate: allPass });
};
/** 10 SPY of the automation, with stop and target at the broker. */
async function hold(): Promise<void> {
  await buyBracket(exchange, context, account);
  await db().position.updateMany({ where: { accountId: account.id }, data: { strategy: "MOMENTUM" } });
  expect(truthOf(exchange, account).positions).toMatchObject([{ symbol: "SPY", qty: "10" }]);
}
/** What the worker does each minute and, for what is to be sold, each second. */
async function work(): Promise<void> {
  await withAccountWriter(context, account.id, (epoch) => flattenAccount(context, account.id, epoch));
  await exchange.control.clock({ advanceMinutes: 1 });
  await syncOrders(context, { accountId: account.id });
}

describe("a pause", () => {
  it("is set and lifted by the owner, and audited once each", async () => {
    expect(await setStatus("PAUSED")).toMatchObject({ status: 200, json: { data: { status: "PAUSED" } } });
    expect(await setStatus("PAUSED")).toMatchObject({ status: 200 });
    expect(await listed()).toMatchObject({ status: "PAUSED" });
    expect(await audits("ACCOUNT_PAUSED")).toMatchObject([{ data: { from: "ACTIVE", to: "PAUSED" } }]);
    expect(await setStatus("ACTIVE")).toMatchObject({ status: 200, json: { data: { status: "ACTIVE" } } });
    expect(await audits("ACCOUNT_UNPAUSED")).toHaveLength(1);
  });

  it("that is lifted names what holds the account all the same, what prevents more first", async () => {
    const heldBy = async () => (await setStatus("ACTIVE")).json?.data as unknown as { heldBy: string | null };
    const owner = { id: account.userId };
    expect(await heldBy()).toMatchObject({ heldBy: null });
    await db().user.update({ where: owner, data: { automationPausedAt: new Date() } });
    expect((await heldBy()).heldBy).toMatch(/^Automation is paused/);
    const stop = { killState: "REDUCE_ONLY", killReason: "test", killSetAt: new Date() } as const;
    await db().user.update({ where: owner, data: stop });
    expect((await heldBy()).heldBy).toMatch(/^An administrator stopped your accounts\./);
    await db().account.update({ where: { id: account.id }, data: { haltedAt: new Date(), haltReason: "a test" } });
    expect((await heldBy()).heldBy).toMatch(/^The account is halted/);
  });

  it("stops every purchase at the mark, and keeps exits working", async () => {
    await hold();
    await setStatus("PAUSED");
    const [entry] = await submit({ symbol: "AAPL", qty: "1" });
    expect(entry).toMatchObject({ status: "HALTED", reason: "the account is paused" });
    const [exit] = await submit({ symbol: "SPY", side: "SELL", qty: "10" });
    expect(exit).toMatchObject({ status: "LIVE" });
  });

  it("of an unknown status, of another's account, of a deleted one or of one that does not trade yet is refused", async () => {
    expect((await setStatus("INACTIVE")).status).toBe(400);
    const other = await makeAccount(db(), (await makeUser(db())).id);
    expect(await setStatus("PAUSED", other.id)).toMatchObject({ status: 404, json: { error: "Account not found." } });
    await db().account.update({ where: { id: account.id }, data: { status: "INACTIVE" } });
    expect(await setStatus("ACTIVE")).toMatchObject({
      status: 409,
      json: { error: "This account does not trade yet. Confirm it first." },
    });
    expect((await remove()).status).toBe(200);
    expect((await setStatus("ACTIVE")).status).toBe(404);
  });
});

describe("deleting", () => {
  it("leaves positions with their protective stops, unless the owner chooses to sell", async () => {
    await hold();
    const before = openOrders().length;
    expect(before).toBe(2);
    expect(await listed()).toMatchObject({ positions: { count: 1 }, otherPositions: 0, isClosing: false });
    expect(await remove()).toMatchObject({ status: 200, json: { data: { state: "deleted" } } });
    expect(openOrders()).toHaveLength(before);
    expect(truthOf(exchange, account).positions).toHaveLength(1);
  });

  it("with closePositions sells first, and ends the account when nothing is left", async () => {
    await hold();
    expect(await remove("closePositions=true")).toMatchObject({ status: 200, json: { data: { state: "closing" } } });
    expect(await listed()).toMatchObject({ isClosing: true, stop: { state: "FLATTEN", source: "OWNER" } });
    await syncOrders(context, { accountId: account.id });
    expect(await row(), "not before it is flat").toMatchObject({ deletedAt: null });
    const [entry] = await submit({ symbol: "AAPL", qty: "1" });
    expect(entry).toMatchObject({ status: "HALTED" });
    await work();
    expect(await row()).toMatchObject({ sealedKeys: null, keyPrefix: null, status: "INACTIVE" });
    expect((await row()).deletedAt).not.toBeNull();
    expect(truthOf(exchange, account).positions).toEqual([]);
    expect(openOrders()).toEqual([]);
    expect(await audits("ACCOUNT_CLOSING")).toHaveLength(1);
    expect(await audits("ACCOUNT_REMOVED")).toHaveLength(1);
    expect(await db().fill.count({ where: { accountId: account.id } }), "its history stays").toBe(2);
  });

  it("with closePositions is done at once where there is nothing to sell", async () => {
    expect(await remove("closePositions=true")).toMatchObject({ json: { data: { state: "deleted" } } });
  });

  it("that waits for its sales can be taken back, or done without them", async () => {
    await hold();
    await remove("closePositions=true");
    expect(await resume()).toMatchObject({ status: 200, json: { data: { isResumed: true } } });
    expect(await row()).toMatchObject({ killState: "NONE", closingAt: null, deletedAt: null });
    await work();
    expect(truthOf(exchange, account).positions).toHaveLength(1);
    await remove("closePositions=true");
    expect(await remove()).toMatchObject({ json: { data: { state: "deleted" } } });
    expect(truthOf(exchange, account).positions).toHaveLength(1);
  });

  it("that waits while the account is halted is taken back together with the halt, and the answer says so", async () => {
    await hold();
    await remove("closePositions=true");
    await db().account.update({ where: { id: account.id }, data: { haltedAt: new Date(), haltReason: "a test" } });
    expect(await listed()).toMatchObject({ isClosing: true, canKeep: true, haltReason: "a test" });
    expect(await resume()).toMatchObject({ json: { data: { isResumed: true, isKept: true, heldBy: null } } });
    expect(await row()).toMatchObject({ killState: "NONE", closingAt: null, haltedAt: null });
    await work();
    expect(truthOf(exchange, account).positions, "nothing is sold").toHaveLength(1);
  });

  it("can be taken back by its owner where an administrator had stopped the account: the stop holds again", async () => {
    await hold();
    const stop = { killState: "REDUCE_ONLY", reason: "test" } as const;
    await setAccountKillState(context, { id: account.id, ...stop });
    await remove("closePositions=true");
    expect(await row()).toMatchObject({ killState: "FLATTEN", keptKillState: "REDUCE_ONLY", closingSource: "OWNER" });
    expect(await listed()).toMatchObject({ canKeep: true });
    expect(await resume()).toMatchObject({
      status: 200,
      json: {
        data: { isKept: true, heldBy: expect.stringMatching(/^An administrator stopped the account\./) as string },
      },
    });
    expect(await row()).toMatchObject({
      ...{ killState: "REDUCE_ONLY", killSource: "ADMIN", killReason: "test" },
      ...{ closingAt: null, closingSource: null, keptKillState: null },
    });
    // Put on while its owner closes it, the stop outlives that, too.
    await remove("closePositions=true");
    await setAccountKillState(context, { id: account.id, killState: "FLATTEN", reason: "sell all" });
    expect(await resume()).toMatchObject({ status: 200, json: { data: { isKept: true } } });
    expect(await row()).toMatchObject({ killState: "FLATTEN", killSource: "ADMIN", closingAt: null });
  });

  it("by an administrator cannot be taken back by the owner, who is not offered it", async () => {
    await hold();
    const operator = { ...context, actor: { kind: "system", name: "test" } as const };
    const close = () => closeAccount(operator as never, { id: account.id, closePositions: true, reason: "fraud" });
    await close();
    expect(await listed()).toMatchObject({ isClosing: true, canKeep: false });
    expect((await resume()).status).toBe(403);
    expect((await row()).closingAt).not.toBeNull();
    // Halted meanwhile, it goes on with the closing, and says so.
    await db().account.update({ where: { id: account.id }, data: { haltedAt: new Date(), haltReason: "a test" } });
    expect(await resume()).toMatchObject({
      json: {
        data: {
          isResumed: true,
          isKept: false,
          heldBy: expect.stringMatching(/^The account is being closed/) as string,
        },
      },
    });
    await setAccountKillState(context, { id: account.id, killState: "NONE", reason: "test" });
    await remove("closePositions=true");
    expect(await listed()).toMatchObject({ canKeep: true });
    await close();
    expect(await listed(), "an administrator closes it, too").toMatchObject({ canKeep: false });
    expect((await resume()).status).toBe(403);
  });

  it("with closePositions is refused in words where nothing can be sold from here, and changes nothing", async () => {
    await hold();
    const { sealedKeys } = await openAccount(context);
    const refusals = [
      [{ haltedAt: new Date(), haltReason: "test" }, /^This account is halted/],
      [{ sealedKeys }, /^The keys of this account can no longer be used/],
      [{ status: "INACTIVE" as const }, /^This account is not confirmed/],
    ] as const;
    for (const [data, sentence] of refusals) {
      const before = await row();
      await db().account.update({ where: { id: account.id }, data });
      const answer = await remove("closePositions=true");
      expect({ status: answer.status, error: answer.json?.error }).toEqual({
        status: 409,
        error: expect.stringMatching(sentence) as string,
      });
      const { haltedAt, haltReason, sealedKeys: keys, status } = before;
      await db().account.update({
        where: { id: account.id },
        data: { haltedAt, haltReason, sealedKeys: keys, status },
      });
      expect(await row()).toEqual(before);
    }
    expect((await remove("closePositions=perhaps")).status).toBe(400);
  });
});

describe("resuming", () => {
  const halt = () =>
    db().account.update({ where: { id: account.id }, data: { haltedAt: new Date(), haltReason: "a test" } });

  it("ends a halt once the books agree, with the owner's reason in the audit trail", async () => {
    await halt();
    expect(await listed()).toMatchObject({
      haltReason: "a test",
      haltAdvice: expect.stringContaining("resume") as string,
    });
    await setAccountKillState(context, { id: account.id, killState: "NO_NEW_ENTRIES", reason: "test" });
    expect(await resume({ reason: "Looked at it" })).toMatchObject({
      status: 200,
      json: {
        data: { isResumed: true, isKept: false, heldBy: expect.stringMatching(/^An administrator stopped/) as string },
      },
    });
    await setAccountKillState(context, { id: account.id, killState: "NONE", reason: "test" });
    expect(await listed()).toMatchObject({ haltReason: null, haltAdvice: null });
    expect(await audits("ACCOUNT_RESUMED")).toMatchObject([{ actorUserId: account.userId }]);
    expect(await resume(), "nothing is halted").toMatchObject({ json: { data: { isResumed: false } } });
  });

  it("is refused in words while an order waits for a person, which the list names", async () => {
    // The broker takes twenty for three: the order at the broker is not the one that was decided.
    const broker = hastyBroker(account, 5_000);
    const lying = withBroker(context, { ...broker, submit: (order) => broker.submit({ ...order, qty: "20" }) });
    const limit = plannedOrder({ symbol: "SPY", qty: "3", type: "LIMIT", limitPrice: "50" });
    const decisionId = await decide(context, account, [limit]);
    await submitPlan(lying, { decisionId, epoch: (await row()).writerEpoch, regate: allPass });
    expect((await row()).haltReason).toContain("did not decide");
    expect(await listed()).toMatchObject({ openQuestions: [{ what: "BUY 3 SPY", needsPerson: true }] });
    const answer = await resume();
    expect(answer.status).toBe(409);
    expect(answer.json?.error).toMatch(/^Resolve first: tw-/);
    expect((await row()).haltedAt).not.toBeNull();
  });

  it("with keys that open nothing is refused in words", async () => {
    await halt();
    const other = await openAccount(context);
    await db().account.update({ where: { id: account.id }, data: { sealedKeys: other.sealedKeys } });
    expect(await resume()).toMatchObject({
      status: 409,
      json: { error: "The stored keys of this account cannot be opened. Please add the account again." },
    });
  });

  it("after a drawdown measures from today's equity; what an administrator stopped stays stopped", async () => {
    const latch = {
      killState: "REDUCE_ONLY",
      killSource: "DRAWDOWN",
      killReason: "down 15 %",
      killSetAt: new Date(),
    } as const;
    await db().account.update({ where: { id: account.id }, data: latch });
    await db().accountFigures.update({ where: { accountId: account.id }, data: { highWaterMark: "999999" } });
    expect(await listed()).toMatchObject({ stop: { state: "REDUCE_ONLY", source: "DRAWDOWN" } });
    expect(await resume()).toMatchObject({ json: { data: { isResumed: true } } });
    const { equity, highWaterMark } = await db().accountFigures.findUniqueOrThrow({ where: { accountId: account.id } });
    expect(highWaterMark.toFixed()).toBe(equity.toFixed());
    expect(await listed()).toMatchObject({ stop: null });

    await setAccountKillState(context, { id: account.id, killState: "REDUCE_ONLY", reason: "test" });
    expect(await resume()).toMatchObject({
      status: 403,
      json: { error: "An administrator stopped this account: only an administrator can resume it." },
    });
    expect(await row()).toMatchObject({ killState: "REDUCE_ONLY" });
  });

  it("of another's account does not exist", async () => {
    const other = await openAccount(context);
    await db().account.update({ where: { id: other.id }, data: { haltedAt: new Date(), haltReason: "a test" } });
    expect((await resume({}, other.id)).status).toBe(404);
    expect((await confirm("LIVE 1234", other.id)).status).toBe(404);
  });
});

describe("a LIVE account", () => {
  /** The paper exchange in the role of Alpaca's live trading. */
  beforeAll(() => {
    Object.assign(process.env, { ALPACA_LIVE_URL: exchange.url, ALPACA_PAPER_URL: "http://127.0.0.2:9" });
    forgetEnv();
  });

  async function addLive(): Promise<string> {
    const opened = await fetch(`${exchange.url}/_control/accounts`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-control-token": CONTROL_TOKEN },
      body: JSON.stringify({ cash: "50000" }),
    });
    const { key_id, secret, account_number } = (await opened.json()) as Record<string, string>;
    // Keys of the exchange make a practice account where there is a practice market.
    delete process.env.EXCHANGE_URL;
    forgetEnv();
    const body = { environment: "LIVE", alpacaKey: key_id, alpacaSecret: secret };
    const added = await callDoor(accountsDoor, "POST", { token, body });
    process.env.EXCHANGE_URL = exchange.url;
    forgetEnv();
    expect(added).toMatchObject({
      status: 200,
      json: { data: { broker: "ALPACA", environment: "LIVE", status: "INACTIVE" } },
    });
    const { id } = added.json?.data as unknown as { id: string };
    account = await db().account.findUniqueOrThrow({ where: { id } });
    expect(account.accountNumberEnd).toBe(account_number?.slice(-4));
    return account.accountNumberEnd ?? "";
  }

  it("trades only once it is confirmed by its number and Paper Trading Only is off: each alone keeps it back", async () => {
    const end = await addLive();
    await syncOrders(context, { accountId: account.id });
    const buy = () => submit({ symbol: "SPY", qty: "1" });
    const paperOnly = (paperTradingOnly: boolean) =>
      db().tradingPreferences.update({ where: { userId: account.userId }, data: { paperTradingOnly } });
    await paperOnly(false);
    expect((await buy())[0]).toMatchObject({ status: "HALTED", reason: "the account is inactive" });
    expect((await setStatus("ACTIVE")).status).toBe(409);

    for (const wrong of ["", end, `live ${end}`, `LIVE ${end}x`, "LIVE 0000"]) {
      const answer = await confirm(wrong);
      expect({ wrong, status: answer.status, paths: answer.json?.issues?.map(({ path }) => path) }).toEqual({
        wrong,
        status: 400,
        paths: ["confirmation"],
      });
    }
    await paperOnly(false);
    const off = { emailNotifications: false, systemAlerts: false };
    await db().notificationPreferences.upsert({
      where: { userId: account.userId },
      create: { userId: account.userId, ...off },
      update: off,
    });
    await db().user.update({ where: { id: account.userId }, data: { automationPausedAt: new Date() } });
    expect(await confirm(`LIVE ${end}`)).toMatchObject({
      json: { data: { heldBy: expect.stringMatching(/^Automation is paused/) as string } },
    });
    const logged = await db().logEvent.findFirstOrThrow({ where: { accountId: account.id }, orderBy: { id: "desc" } });
    expect(logged.message).toMatch(/^The LIVE account is confirmed\. Automation is paused/);
    await db().user.update({ where: { id: account.userId }, data: { automationPausedAt: null } });
    await db().account.update({ where: { id: account.id }, data: { status: "INACTIVE", liveConfirmedAt: null } });
    await paperOnly(true);
    expect(await confirm(`LIVE ${end}`)).toMatchObject({ status: 200, json: { data: { status: "ACTIVE" } } });
    expect((await row()).liveConfirmedAt).not.toBeNull();
    // Its owner hears of each, though every mail and alert is switched off.
    const told = { userId: account.userId, dedupeKey: { startsWith: `security:live-confirmed:${account.id}` } };
    expect([await db().notification.count({ where: told }), await db().outbox.count({ where: told })]).toEqual([2, 2]);
    expect(await audits("LIVE_CONFIRMED")).toMatchObject([
      { data: { paperTradingOnly: false } },
      { data: { paperTradingOnly: true, maxPositions: 3 } },
    ]);
    expect((await buy())[0]).toMatchObject({ status: "HALTED", reason: "live trading is switched off" });
    await paperOnly(false);
    expect((await buy())[0]).toMatchObject({ status: "LIVE" });
    expect(await confirm(`LIVE ${end}`)).toMatchObject({
      status: 409,
      json: { error: "This account is confirmed already." },
    });
  });

  it("is never active without its owner's confirmation, whatever writes the row; and a paper account needs none", async () => {
    expect(await confirm("LIVE 0000")).toMatchObject({
      status: 409,
      json: { error: "Only LIVE accounts are confirmed." },
    });
    await addLive();
    await expect(db().account.update({ where: { id: account.id }, data: { status: "ACTIVE" } })).rejects.toThrow(
      /Account_live_is_confirmed/,
    );
  });
});
