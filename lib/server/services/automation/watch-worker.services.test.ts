import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Exchange } from "@/lib/exchange/start.ts";
import { makeUser } from "@/prisma/factories.ts";
import type { Context } from "../../context.ts";
import { forgetEnv } from "../../env.ts";
import {
  allPass,
  changeLimitByHand,
  decide,
  hastyBroker,
  openAccount,
  orderByHand,
  plannedOrder,
  startBench,
  testContext,
  truthOf,
} from "@/lib/proof/fixtures/orders.ts";
import type { Account } from "../../core/row-types.ts";
import type { LogLine } from "@/lib/proof/fixtures/orders.ts";
import { reconcileAccount } from "../sync/reconcile-account.ts";
import { submitPlan } from "../orders/submit-plan.ts";
import { beat, isWorkerBeating } from "../schedule/worker-lease.ts";
import { newWatch, watchWorker, type Watch } from "./watch-worker.ts";

/** Each test has a day of its own. */
let begun = Date.parse("2035-01-05T12:00:00.000Z");
const DAY_MS = 24 * 3_600_000;
/** A look every ten seconds; the worker's lease is sixty. */
const LOOK_S = 10;

let exchange: Exchange;
let now: number;
let context: Context & { lines: LogLine[] };
let account: Account;
let watch: Watch;
let adminId: string;
beforeAll(async () => {
  exchange = await startBench();
});
afterAll(() => exchange.close());
beforeEach(async () => {
  begun += DAY_MS;
  now = begun;
  context = testContext({ now: () => new Date(now) });
  account = await openAccount(context);
  await reconcileAccount(context, account.id);
  adminId = (await makeUser(context.db, { role: "ADMIN" })).id;
  watch = newWatch("dog-1", context.now());
});
afterEach(async () => {
  exchange.control.clearFaults();
  await context.db.account.updateMany({ data: { deletedAt: new Date(), sealedKeys: null, status: "INACTIVE" } });
  await context.db.lease.deleteMany({ where: { name: { in: ["worker", "watchdog"] } } });
  await context.db.user.updateMany({ where: { id: adminId }, data: { role: "USER" } });
});

const truth = () => truthOf(exchange, account);
const statuses = () =>
  truth()
    .orders.map(({ symbol, side, type, status }) => `${side} ${type} ${symbol} ${status}`)
    .sort();
const submit = async (order: Parameters<typeof plannedOrder>[0]) => {
  const decisionId = await decide(context, account, [plannedOrder(order)]);
  return submitPlan(context, { decisionId, epoch: 0, regate: allPass });
};
const restingEntry = () => submit({ symbol: "SPY", type: "LIMIT", limitPrice: "50" });
const beats = () => beat(context, "worker-1", {});
/** Looks every ten seconds for so long, the worker beating all the while or silent; answers the last word. */
async function pass(seconds: number, { isBeating = false, by = [watch] } = {}): Promise<string[]> {
  let said: string[] = [];
  for (let passed = 0; passed < seconds; passed += LOOK_S) {
    now += LOOK_S * 1000;
    if (isBeating) await beats();
    said = [];
    for (const dog of by) said.push(await watchWorker(context, dog));
  }
  return said;
}
const reported = async () => ({
  audits: (
    await context.db.auditEvent.findMany({
      where: { eventType: { startsWith: "WORKER_" }, at: { gte: new Date(begun) } },
      orderBy: { seq: "asc" },
    })
  ).map(({ eventType }) => eventType),
  mails: (await context.db.outbox.findMany({ where: { userId: adminId }, orderBy: { createdAt: "asc" } })).map(
    ({ props }) => (props as { subject: string }).subject,
  ),
});
const SILENT = "The trading worker is silent";
const FOUND = "Accounts checked while the trading worker is silent";
const BACK = "The trading worker is back";
const OUTAGE = ["WORKER_SILENT", "WORKER_OUTAGE_CHECKED"];
const lastCheck = () =>
  context.db.auditEvent.findFirstOrThrow({
    where: { eventType: "WORKER_OUTAGE_CHECKED", at: { gte: new Date(begun) } },
    orderBy: { seq: "desc" },
  });
const mailOf = async (subject: string) =>
  JSON.stringify(
    (await context.db.outbox.findMany({ where: { userId: adminId } })).filter(
      ({ props }) => (props as { subject: string }).subject === subject,
    ),
  );
/** 10 SPY at the exchange, with a bracket's stop or bare. */
async function hold(isProtected: boolean): Promise<void> {
  const legs = { orderClass: "BRACKET", timeInForce: "gtc", takeProfitPrice: "4000", stopLossPrice: "1" } as const;
  await submit({ symbol: "SPY", ...(isProtected ? legs : {}) });
  await exchange.control.clock({ advanceMinutes: 1 });
  await reconcileAccount(context, account.id);
  expect(truth().positions).toMatchObject([{ symbol: "SPY", qty: "10" }]);
}

describe("the watchdog", () => {
  it("does nothing while the worker beats, nor before the lease is over", async () => {
    await restingEntry();
    await beats();
    expect(await pass(300, { isBeating: true })).toEqual(["watching"]);
    expect(await pass(50)).toEqual(["watching"]);
    expect(statuses()).toEqual(["buy limit SPY new"]);
    expect(await reported()).toEqual({ audits: [], mails: [] });
    expect(await isWorkerBeating(context)).toBe(true);
  });

  it("cancels open entries once the worker was silent for its lease, leaves stops, and notifies users once", async () => {
    await hold(true);
    await restingEntry();
    await beats();
    await pass(10, { isBeating: true });
    expect(await pass(60)).toEqual(["acting"]);
    expect(statuses()).toEqual([
      "buy limit SPY canceled",
      "buy market SPY filled",
      "sell limit SPY new",
      "sell stop SPY new",
    ]);
    await pass(300);
    expect(await reported()).toEqual({ audits: OUTAGE, mails: [SILENT, FOUND] });
    expect(await isWorkerBeating(context)).toBe(false);
    expect((await lastCheck()).data).toMatchObject({
      accounts: 1,
      found: [{ accountId: account.id, cancelled: ["SPY"], notCancelled: [], unprotected: [], problem: null }],
    });
    const line = await context.db.logEvent.findFirstOrThrow({ where: { accountId: account.id, level: "error" } });
    expect(line.message).toContain("Open entry orders cancelled: SPY.");
    expect(context.lines.filter(({ level }) => level === "error").length).toBeGreaterThan(0);
  });

  it("cancels an entry that its owner changed at the broker, and no purchase of theirs", async () => {
    await restingEntry();
    const { brokerOrderId } = await context.db.order.findFirstOrThrow({ where: { accountId: account.id } });
    await changeLimitByHand(account, brokerOrderId, "51");
    await reconcileAccount(context, account.id);
    await hastyBroker(account, 5_000).submit(orderByHand({ clientOrderId: "by-hand", limitPrice: "49" }));
    await beats();
    await pass(10, { isBeating: true });
    expect(await pass(60)).toEqual(["acting"]);
    const open = truth().orders.filter(({ status }) => status === "new" || status === "accepted");
    expect(open.map(({ client_order_id }) => client_order_id)).toEqual(["by-hand"]);
  });

  it("sends the alert itself: who sends mail otherwise is the one that is silent", async () => {
    const received: string[] = [];
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS", "AUTH"],
      onData(stream, { envelope }, done) {
        received.push(...envelope.rcptTo.map(({ address }) => address));
        stream.resume().on("end", () => done());
      },
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    process.env.SMTP_URL = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
    forgetEnv();
    try {
      await beats();
      await pass(70);
    } finally {
      process.env.SMTP_URL = "";
      forgetEnv();
      await new Promise<void>((resolve) => server.close(resolve));
    }
    const admin = await context.db.user.findUniqueOrThrow({ where: { id: adminId } });
    expect(received).toContain(admin.email);
  });

  it("places the stop of a position that has none, in the worker's place, once", async () => {
    await hold(false);
    await beats();
    await pass(120);
    expect((await lastCheck()).data).toMatchObject({ found: [{ protected: ["SPY"], unprotected: [] }] });
    expect(await mailOf(FOUND)).toContain("Stops placed for unprotected shares of: SPY");
    expect(statuses()).toEqual(["buy market SPY filled", "sell limit SPY new", "sell stop SPY new"]);
  });

  it("names a position whose stop cannot be placed", async () => {
    await hold(false);
    await beats();
    exchange.control.addFault({ kind: "status", method: "POST", path: "/v2/orders", status: 503, count: 0 });
    await pass(70);
    expect((await lastCheck()).data).toMatchObject({
      found: [{ protected: [], unprotected: [{ symbol: "SPY", qty: "10", protectedQty: "0" }] }],
    });
    expect(await mailOf(FOUND)).toContain("Without a live stop: SPY (0 of 10 covered)");
  });

  it("keeps checking while the worker is silent: an entry that the broker took late goes too", async () => {
    await beats();
    await pass(70);
    await restingEntry();
    expect(statuses()).toEqual(["buy limit SPY new"]);
    await pass(30);
    expect(statuses()).toEqual(["buy limit SPY canceled"]);
    expect((await reported()).audits).toEqual(OUTAGE);
  });

  it("leaves no account out because another account's broker is unavailable, and says which one could not be checked", async () => {
    const failing = account;
    account = await openAccount(context);
    await restingEntry();
    exchange.control.addFault({
      method: "GET",
      account: truthOf(exchange, failing).account_number,
      kind: "status",
      status: 503,
      count: 0,
    });
    await beats();
    await pass(70);
    expect(statuses()).toEqual(["buy limit SPY canceled"]);
    const { found } = (await lastCheck()).data as { found: { accountId: string; problem: string | null }[] };
    expect(found.filter(({ problem }) => problem !== null).map(({ accountId }) => accountId)).toEqual([failing.id]);
  });

  it("records the worker's return once, and reports the next outage again", async () => {
    await beats();
    await pass(70);
    expect(await pass(120, { isBeating: true })).toEqual(["watching"]);
    expect(await reported()).toEqual({
      audits: [...OUTAGE, "WORKER_BACK"],
      mails: [SILENT, BACK],
    });
    await pass(70);
    expect((await reported()).audits).toEqual([...OUTAGE, "WORKER_BACK", ...OUTAGE]);
  });

  it("that slept itself gives the worker a whole lease again", async () => {
    await restingEntry();
    await beats();
    await pass(20);
    now += 3_600_000;
    expect(await watchWorker(context, watch)).toBe("watching");
    expect(await pass(50)).toEqual(["watching"]);
    expect(await pass(10)).toEqual(["acting"]);
  });

  it("gives the worker a whole lease after an outage of Postgres, in which it could not beat either", async () => {
    await restingEntry();
    await beats();
    await pass(20, { isBeating: true });
    const isAway = vi.spyOn(context.db.lease, "findUnique").mockRejectedValue(new Error("Can't reach database server"));
    for (let passed = 0; passed < 90; passed += LOOK_S) {
      now += LOOK_S * 1000;
      await expect(watchWorker(context, watch)).rejects.toThrow("Can't reach");
    }
    isAway.mockRestore();
    expect(await pass(60)).toEqual(["watching"]);
    expect(statuses()).toEqual(["buy limit SPY new"]);
    expect(await pass(10)).toEqual(["acting"]);
  });

  it("begins with a whole lease, and waits for the first worker of all", async () => {
    expect(await pass(200)).toEqual(["watching"]);
    await beats();
    now += 3_600_000;
    watch = newWatch("dog-1", context.now());
    expect(await pass(50)).toEqual(["watching"]);
  });
});

describe("of two watchdogs", () => {
  it("one acts and reports, the other stands by, and takes over when the first one is gone", async () => {
    const second = newWatch("dog-2", context.now());
    await restingEntry();
    await beats();
    expect(await pass(70, { by: [watch, second] })).toEqual(["acting", "standing by"]);
    expect((await reported()).audits).toEqual(OUTAGE);
    expect(await pass(60, { by: [second] })).toEqual(["standing by"]);
    // By the database's clock, which is not that of the tests.
    const longAgo = new Date(Date.now() - 31_000);
    await context.db.lease.updateMany({ where: { name: "watchdog" }, data: { beatAt: longAgo } });
    expect(await pass(60, { by: [second] })).toEqual(["acting"]);
    expect((await reported()).audits).toEqual(OUTAGE);
    await pass(20, { by: [second], isBeating: true });
    expect(await reported()).toEqual({
      audits: [...OUTAGE, "WORKER_BACK"],
      mails: [SILENT, FOUND, BACK],
    });
  });

  it("the one that acts keeps the watch during a check that takes longer than the lease, shows that it lives, and has reported the outage before", async () => {
    const second = newWatch("dog-2", context.now());
    await beats();
    await pass(60, { by: [watch, second] });
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    try {
      const signs: number[] = [];
      const seen: unknown[] = [];
      const lease = () => context.db.lease.findUniqueOrThrow({ where: { name: "watchdog" } });
      const slow = {
        ...context,
        brokers: {
          ...context.brokers,
          forAccount: (of: Account) => ({
            ...context.brokers.forAccount(of),
            async openOrders() {
              for (let passed = 0; passed < 60; passed += LOOK_S) {
                const agedAt = new Date(Date.now() - LOOK_S * 1000);
                await context.db.lease.updateMany({ where: { name: "watchdog" }, data: { beatAt: agedAt } });
                now += LOOK_S * 1000;
                vi.advanceTimersByTime(LOOK_S * 1000);
                await vi.waitFor(async () => expect((await lease()).beatAt > agedAt).toBe(true));
                seen.push(await watchWorker(context, second));
              }
              seen.push(await reported());
              throw new Error("no answer");
            },
          }),
        },
      };
      now += LOOK_S * 1000;
      expect(await watchWorker(slow, watch, async () => void signs.push(now))).toBe("acting");
      expect(seen).toEqual([
        ...Array.from({ length: 6 }, () => "standing by"),
        { audits: ["WORKER_SILENT"], mails: [SILENT] },
      ]);
      expect(new Set(signs).size).toBe(6);
      expect((await reported()).audits).toEqual(OUTAGE);
    } finally {
      vi.useRealTimers();
    }
  });

  it("that look at the same moment one gets the lease", async () => {
    const dogs = Array.from({ length: 8 }, (_, index) => newWatch(`dog-${index}`, context.now()));
    await beats();
    const said = await Promise.all(dogs.map((dog) => watchWorker(context, dog)));
    expect(said.filter((word) => word === "watching")).toHaveLength(1);
  });
});
