/** The clock of the machine ran an hour ahead and was set right: what was written meanwhile lies in the future, and nothing is late because of it. */
import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { jobs } from "@/lib/contracts/jobs.ts";
import { HOUR_MS } from "@/lib/domain/time.ts";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import type { Context } from "../../context.ts";
import { db, type Prisma } from "../../db.ts";
import { readSplit } from "../../jobs/canary.ts";
import { systemContext } from "../../system-context.ts";
import { newWatch, watchWorker } from "../automation/watch-worker.ts";
import { syncOrders } from "../accounts/sync-orders.ts";
import { accountsToProtect } from "../orders/bare-shares.ts";
import { checkBooks } from "../sync/check-books.ts";
import { lastingDifferences } from "../sync/compare-positions.ts";
import { accountsWoken, takeUnfinished } from "./take-due.ts";
import { beat, isWorkerBeating, outageKnown, takeWatch } from "./worker-lease.ts";

const now = new Date();
const ahead = new Date(now.getTime() + HOUR_MS);
const at = (date: Date) => ({ db: db(), now: () => date });

let accountId: string;
let asked = 0;
const base = systemContext("test");
/** Asks no broker. */
const closed: Context = {
  ...base,
  now: () => now,
  brokers: {
    ...base.brokers,
    forAccount() {
      asked += 1;
      throw new Error("asked");
    },
  },
};
beforeEach(async () => {
  const { id: userId } = await makeUser(db());
  ({ id: accountId } = await makeAccount(db(), userId, { broker: "ALPACA" }));
  await db().lease.deleteMany();
});

it("books are read at once, by the page of all accounts and by the account's own turn", async () => {
  await db().account.update({ where: { id: accountId }, data: { reconciledAt: ahead, readWholeAt: ahead } });
  expect(await checkBooks(closed, [accountId])).toEqual([]);
  await expect(syncOrders(closed, { accountId })).rejects.toThrow("asked");
  expect(asked).toBeGreaterThan(0);
});

it("a stop whose next attempt was put off is tried at once, and one that waits for a few seconds is not", async () => {
  const shares = { accountId, symbol: "AAA", qty: "10" };
  await db().position.create({
    data: { ...shares, avgEntryPrice: "100", strategy: "MOMENTUM", stopPrice: "95", openedAt: now },
  });
  const { id } = await db().owedStop.create({
    data: { ...shares, reason: "no live stop was found", nextTryAt: ahead },
  });
  expect(await accountsToProtect(db(), now)).toContain(accountId);
  await db().owedStop.update({ where: { id }, data: { nextTryAt: new Date(now.getTime() + 60_000) } });
  expect(await accountsToProtect(db(), now)).not.toContain(accountId);
});

it("a worker, a watchdog and a canary that ended are not taken for alive", async () => {
  await beat(at(ahead), "ended", {});
  expect(await isWorkerBeating(at(now))).toBe(false);
  await takeWatch({ db: db() }, "ended");
  expect(await takeWatch({ db: db() }, "next")).toBe(false);
  await db().lease.updateMany({ where: { name: "watchdog" }, data: { beatAt: ahead } });
  expect(await takeWatch({ db: db() }, "next")).toBe(true);
  const row = { kind: "canary", build: "b", orderProtocol: 1, startedAt: ahead, lagMs: 0 };
  await db().processBeat.create({ data: { ...row, owner: "ended", beatAt: ahead } });
  expect((await readSplit(db(), now)).isAlive).toBe(false);
  await db().processBeat.update({ where: { owner: "ended" }, data: { beatAt: now } });
  expect((await readSplit(db(), now)).isAlive).toBe(true);
  await db().processBeat.deleteMany();
});

it("of two watchdogs whose clocks are minutes apart one keeps the watch, though each looks every second", async () => {
  const clocks = [0, 5 * 60_000].map((aheadMs) => ({ db: db(), now: () => new Date(Date.now() + aheadMs) }));
  const holders: string[] = [];
  for (let look = 0; look < 5; look += 1)
    for (const [index, clock] of clocks.entries()) if (await takeWatch(clock, `${index}`)) holders.push(`${index}`);
  expect(holders).toEqual(["0", "0", "0", "0", "0"]);
});

it("a worker whose clock is half a minute ahead of the one that asks is alive", async () => {
  await beat(at(new Date(now.getTime() + 30_000)), "worker", {});
  expect(await isWorkerBeating(at(now))).toBe(true);
});

it("a worker that ended by a clock that was ahead is back with the first beat of another", async () => {
  const outage = { detail: { outage: ahead.toISOString() }, owner: "dog", beatAt: new Date() };
  await db().lease.create({ data: { name: "watchdog", ...outage } });
  const watch = newWatch("dog", now);
  await beat(at(ahead), "ended", {});
  expect(await watchWorker(closed, watch)).toBe("watching");
  expect(await outageKnown({ db: db() })).toEqual(ahead);
  await beat(at(now), "next", {});
  await watchWorker(closed, watch);
  expect(await outageKnown({ db: db() })).toBeNull();
});

it("a watchdog that goes on running acts a minute after the last beat", async () => {
  let time = ahead.getTime();
  const context = { ...closed, now: () => new Date(time) };
  await beat(context, "ended", {});
  const watch = newWatch("watchdog", context.now());
  expect(await watchWorker(context, watch)).toBe("watching");
  time -= HOUR_MS;
  const states: string[] = [];
  for (let looks = 0; looks < 20; looks += 1) {
    time += 5_000;
    states.push(await watchWorker(context, watch));
  }
  expect(states.indexOf("acting")).toBeGreaterThan(0);
  expect(states.at(-1)).toBe("acting");
});

it("accounts are looked at whose last look was recorded as ended by a clock ahead, and a lost run is woken again", async () => {
  const job = jobs.orderStatus.name;
  const ofAccount = { key: `${job}:${accountId}`, job, accountId, dueAt: now, everyMs: 1_000 };
  const ofMarket = { key: "lost:US", job: "lost", dueAt: now, everyMs: 1_000 };
  await db().schedule.createMany({
    data: [
      { ...ofAccount, lastStartedAt: now, lastFinishedAt: ahead },
      { ...ofMarket, lastStartedAt: ahead, lastFinishedAt: null },
    ],
  });
  expect(await accountsWoken(closed, job, { from: accountId, to: accountId })).toEqual([accountId]);
  expect(await takeUnfinished(closed, "lost:US")).toBe(true);
  expect(await takeUnfinished(closed, "lost:US")).toBe(false);
});

it("a difference counts whose last fill was booked by a clock ahead", async () => {
  const order = {
    ...{ accountId, brokerOrderId: randomUUID(), clientOrderId: randomUUID(), symbol: "AAA", side: "BUY", qty: "10" },
    ...{ origin: "EXTERNAL", role: "EXTERNAL", type: "MARKET", status: "NEW" },
    ...{ orderClass: "SIMPLE", timeInForce: "day", brokerStatus: "new" },
    ...{ submittedAt: now, tradedAt: now, brokerUpdatedAt: now },
  } satisfies Prisma.OrderUncheckedCreateInput;
  const { id: orderId } = await db().order.create({ data: order });
  const fill = { accountId, orderId, symbol: "AAA", side: "BUY", qty: "10", price: "100", at: now } as const;
  await db().fill.create({ data: { ...fill, executionId: "a:10", source: "STREAM", createdAt: ahead } });
  const differences = [{ symbol: "AAA", ours: "10", theirs: "0" }];
  expect(await lastingDifferences(closed, accountId, differences)).toEqual(differences);
});
