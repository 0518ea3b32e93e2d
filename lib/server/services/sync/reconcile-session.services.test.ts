import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { text } from "@/lib/domain/money.ts";
import { MINUTE_MS } from "@/lib/domain/time.ts";
import { mondayOf, weekFrom } from "@/lib/domain/weeks.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import type { Account } from "../../core/row-types.ts";
import type { Broker, BrokerActivity } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import { marketData } from "../../providers/market-data-registry.ts";
import { marketMoment } from "../../core/calendar.ts";
import {
  allPass,
  buyBracket,
  decide,
  hastyBroker,
  openAccount,
  plannedOrder,
  startBench,
  testContext,
  truthOf,
  withBroker,
} from "@/lib/proof/fixtures/orders.ts";
import { readStarts } from "../equity/read-starts.ts";
import { readEquityChanges } from "../performance/week-figures.ts";
import { readCashLedger } from "../ledger/read-cash-ledger.ts";
import { reconcileAccount } from "./reconcile-account.ts";
import { reconcileSessions } from "./reconcile-sessions.ts";
import { submitPlan } from "../orders/submit-plan.ts";

let exchange: Exchange;
let context: Context;
let account: Account;
beforeAll(async () => {
  exchange = await startBench();
});
afterAll(() => exchange.close());
beforeEach(async () => {
  context = testContext({ marketData });
  await context.db.account.updateMany({ data: { reconciledAt: null } });
  account = await openAccount(context);
});
afterEach(() => exchange.control.clearFaults());

const statements = () => context.db.reconciliation.findMany({ where: { accountId: account.id } });
const nightly = (on = context) => reconcileSessions(on, { market: "PRACTICE" });
/** To the opening after the session that runs now: its close lies behind. */
async function pastTheClose(): Promise<void> {
  const { today, calendar } = await marketMoment(context, "PRACTICE");
  const next = calendar.find(({ session }) => session > (today?.session ?? ""));
  await exchange.control.clock({ jumpTo: next?.session ?? "" });
}
const sell = async () =>
  submitPlan(context, {
    decisionId: await decide(context, account, [plannedOrder({ symbol: "SPY", side: "SELL", qty: "10" })]),
    epoch: 0,
    regate: allPass,
  });

describe("the statement of a session", () => {
  it("agrees to the cent and to the share, is stored once, and is made after the close alone", async () => {
    await buyBracket(exchange, context, account);
    await sell();
    await exchange.control.clock({ advanceMinutes: 1 });
    await buyBracket(exchange, context, account, { qty: "7" });
    const { today } = await marketMoment(context, "PRACTICE");
    await nightly();
    expect((await statements()).map(({ session }) => session.toISOString().slice(0, 10))).not.toContain(today?.session);
    await pastTheClose();
    await Promise.all([nightly(), nightly()]);
    const stated = (await statements()).filter(({ session }) =>
      session.toISOString().startsWith(today?.session ?? "-"),
    );
    expect(stated).toMatchObject([{ isClean: true, findings: [] }]);
    const [statement] = stated;
    expect(text(statement?.cashHere.toString() ?? "")).toBe(text(truthOf(exchange, account).cash));
    expect(text(statement?.cashThere.toString() ?? "")).toBe(text(truthOf(exchange, account).cash));
    expect(text((await readCashLedger(context.db, account.id)).cash)).toBe(text(truthOf(exchange, account).cash));
    expect(
      await context.db.auditEvent.count({ where: { eventType: "SESSION_RECONCILED", subjectUserId: account.userId } }),
    ).toBe((await statements()).length);
  });

  it("comes with a point of the equity after the close, with which the week ends", async () => {
    await buyBracket(exchange, context, account);
    await context.db.account.update({ where: { id: account.id }, data: { reconciledAt: new Date() } });
    const { today } = await marketMoment(context, "PRACTICE");
    if (!today) throw new Error("no session runs");
    const at = new Date(Date.parse(today.closesAt) + 5 * MINUTE_MS);
    await exchange.control.clock({ jumpTo: at.toISOString() });
    await nightly();
    const end = new Date(weekFrom(mondayOf(today.session)).to);
    const starts = await readStarts(context.db, [account.id]);
    const [change] = await readEquityChanges(context.db, [account.id], starts, [new Date(today.opensAt), end]);
    expect(text(change!.end)).toBe((await hastyBroker(account, 5_000).account()).equity);
    const last = await context.db.equityPoint.findFirst({ where: { accountId: account.id }, orderBy: { at: "desc" } });
    expect([last?.at.toISOString(), last?.isClose]).toEqual([at.toISOString(), false]);
  });

  it("finds an execution that every reading of the day has missed", async () => {
    await reconcileAccount(context, account.id);
    const decisionId = await decide(context, account, [plannedOrder({ symbol: "SPY", qty: "3" })]);
    await submitPlan(context, { decisionId, epoch: 0, regate: allPass });
    await exchange.control.clock({ advanceMinutes: 1 });
    const { now } = await marketMoment(context, "PRACTICE");
    const ahead = new Date(Date.parse(now) + 60 * 60_000);
    await context.db.account.update({
      where: { id: account.id },
      data: { orderWatermark: ahead, activityWatermark: ahead },
    });
    await pastTheClose();
    await nightly();
    expect((await statements()).at(-1)).toMatchObject({ isClean: true, executions: 1 });
    expect(await context.db.fill.count({ where: { accountId: account.id } })).toBe(1);
    expect(await context.db.account.findUniqueOrThrow({ where: { id: account.id } })).toMatchObject({
      haltReason: null,
    });
  });

  it("halts an account whose cash differs, with both amounts, and says so in the statement", async () => {
    await reconcileAccount(context, account.id);
    await pastTheClose();
    const real = hastyBroker(account, 5_000);
    const short: Broker = { ...real, account: async () => ({ ...(await real.account()), cash: "99987.66" }) };
    await nightly(withBroker(context, short));
    const finding = "Cash differs: 100000 here, 99987.66 at the broker";
    expect((await statements()).at(-1)).toMatchObject({ isClean: false, findings: [finding] });
    expect(await context.db.account.findUniqueOrThrow({ where: { id: account.id } })).toMatchObject({
      haltReason: finding,
    });
  });

  it("knows fees that are on their way, and nothing beyond them", async () => {
    await reconcileAccount(context, account.id);
    await pastTheClose();
    const real = hastyBroker(account, 5_000);
    const owing: Broker = {
      ...real,
      account: async () => ({ ...(await real.account()), cash: "99999.95", accruedFees: "0.05" }),
    };
    await nightly(withBroker(context, owing));
    expect((await statements()).at(-1)).toMatchObject({ isClean: true });
  });

  it("is made later when the broker was unavailable, and the others do not wait for it", async () => {
    const other = await openAccount(context);
    for (const { id } of [account, other]) await reconcileAccount(context, id);
    await pastTheClose();
    exchange.control.addFault({
      kind: "drop_before_accept",
      path: "/v2/",
      account: truthOf(exchange, account).account_number,
      count: 0,
    });
    await expect(nightly()).rejects.toThrow("1 accounts could not be reconciled");
    expect(await statements()).toEqual([]);
    expect(await context.db.reconciliation.count({ where: { accountId: other.id } })).toBe(1);
    exchange.control.clearFaults();
    await nightly();
    expect(await statements()).toMatchObject([{ isClean: true }]);
  });
});

describe("money that the broker takes back or corrects", () => {
  it("is taken back and corrected here, once, with its figure", async () => {
    await reconcileAccount(context, account.id);
    const real = hastyBroker(account, 5_000);
    const { now } = await real.clock();
    const paid: BrokerActivity = {
      id: "div-1",
      type: "DIV",
      symbol: "SPY",
      netAmount: "12.50",
      qty: null,
      date: now.slice(0, 10),
    };
    const read = (activity: BrokerActivity) =>
      reconcileAccount(
        withBroker(context, { ...real, activitiesSince: () => Promise.resolve([activity]) }),
        account.id,
      );
    const dividends = async () => {
      const figures = await context.db.accountFigures.findUniqueOrThrow({ where: { accountId: account.id } });
      return [text(figures.dividends.toString()), text((await readCashLedger(context.db, account.id)).cash)];
    };
    for (let again = 0; again < 2; again += 1) await read(paid);
    expect(await dividends()).toEqual(["12.5", "100012.5"]);
    for (let again = 0; again < 2; again += 1) await read({ ...paid, netAmount: "10" });
    expect(await dividends()).toEqual(["10", "100010"]);
    for (let again = 0; again < 2; again += 1) await read({ ...paid, isCanceled: true });
    expect(await dividends()).toEqual(["0", "100000"]);
    expect(
      await context.db.auditEvent.count({ where: { eventType: "CASH_FLOW_CORRECTED", subjectUserId: account.userId } }),
    ).toBe(2);
  });
});
