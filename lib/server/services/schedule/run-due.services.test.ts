import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Exchange } from "@/lib/exchange/start.ts";
import { startTestExchange } from "@/lib/proof/market/test-exchange.ts";
import { runDueSchedules } from "@/lib/proof/fixtures/run-schedules.ts";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import type { Context } from "../../context.ts";
import { db } from "../../db.ts";
import { forgetEnv } from "../../env.ts";
import { systemContext } from "../../system-context.ts";
import { scheduleRounds } from "./run-due.ts";

function door() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

let exchange: Exchange;
beforeAll(async () => {
  exchange = await startTestExchange({
    port: 0,
    controlToken: "test-control-token",
    databaseUrl: null,
    paused: true,
  });
  process.env.EXCHANGE_URL = exchange.url;
  forgetEnv();
});
afterAll(() => exchange.close());
beforeEach(async () => {
  await db().schedule.deleteMany();
  await db().systemState.update({ where: { id: 1 }, data: { isQueueActive: true } });
});

/** The jobs that come due while a market is open. */
const DUE_IN_A_SESSION = [
  "backtest-grid",
  "backtest-run",
  "bar-history",
  "companies",
  "deliveries",
  "equity",
  "insight-texts",
  "invariants",
  "mail",
  "order-status",
  "partitions",
  "provider-check",
  "purge",
  "rotation-execution",
  "rotation-plan",
  "screening",
  "settings-preview",
  "strategy-history",
  "system-invariants",
  "weekly-summary",
  "what-if",
];

it("of many workers one wakes what is due, rows are made again after a loss, and a paused queue wakes nothing", async () => {
  const rung: string[] = [];
  const context: Context = {
    ...systemContext("test"),
    queue: {
      enqueue: (job) => {
        rung.push(job.name);
        return Promise.resolve();
      },
    },
  };
  const user = await makeUser(db());
  await makeAccount(db(), user.id);
  // The first round makes the rows; nothing is due before its time.
  await runDueSchedules(context);
  expect(rung).toEqual([]);

  await exchange.control.clock({ advanceMinutes: 20 });
  await db().schedule.updateMany({ where: { market: null }, data: { dueAt: new Date(0) } });
  await Promise.all(Array.from({ length: 8 }, () => runDueSchedules(context)));
  // What is due of each account is handed to the queue in pages.
  const wokenAs = (job: string) => (["invariants", "order-status"].includes(job) ? `${job}-page` : job);
  expect(rung.sort()).toEqual(DUE_IN_A_SESSION.map(wokenAs));
  const screening = await db().schedule.findUniqueOrThrow({ where: { key: "screening:PRACTICE" } });
  expect(screening.runs).toBe(1);
  expect(screening.coalesced).toBe(3);

  // A row that waits for a time which the clock has left (another market, restored data) heals.
  await db().schedule.update({ where: { key: "screening:PRACTICE" }, data: { dueAt: new Date("2099-01-01") } });
  await runDueSchedules(context);
  const healed = await db().schedule.findUniqueOrThrow({ where: { key: "screening:PRACTICE" } });
  expect(healed.dueAt.getTime()).toBeLessThan(new Date("2098-01-01").getTime());

  rung.length = 0;
  await db().schedule.deleteMany({});
  await runDueSchedules(context);
  const rows = await db().schedule.findMany({ select: { job: true }, orderBy: { job: "asc" } });
  expect(rows.map(({ job }) => job)).toEqual([...DUE_IN_A_SESSION, "nightly"].sort());

  await db().systemState.update({ where: { id: 1 }, data: { isQueueActive: false } });
  await db().schedule.updateMany({ data: { dueAt: new Date(0) } });
  await runDueSchedules(context);
  expect(rung).toEqual([]);
});

it("a look at a market does not wait until the accounts are woken, nor do the accounts wait for a market's clock", async () => {
  const base = systemContext("test");
  await makeAccount(db(), (await makeUser(db())).id);
  await runDueSchedules({ ...base, queue: { enqueue: () => Promise.resolve() } });
  const isDue = async () => {
    await exchange.control.clock({ advanceMinutes: 20 });
    await db().schedule.updateMany({ where: { market: null }, data: { dueAt: new Date(0) } });
  };

  const rung: string[] = [];
  const gate = door();
  await isDue();
  await runDueSchedules({
    ...base,
    queue: {
      enqueue: async (job) => {
        rung.push(job.name);
        if (job.name === "screening") gate.open();
        if (job.name === "order-status-page") await gate.opened;
      },
    },
  });
  expect(rung).toEqual(expect.arrayContaining(["order-status-page", "screening"]));

  rung.length = 0;
  const clock = door();
  await isDue();
  await runDueSchedules({
    ...base,
    marketData: (market) => {
      const data = base.marketData(market);
      return { ...data, clock: () => clock.opened.then(() => data.clock()) };
    },
    queue: {
      enqueue: (job) => {
        rung.push(job.name);
        if (job.name === "order-status-page") clock.open();
        return Promise.resolve();
      },
    },
  });
  expect(rung).toEqual(expect.arrayContaining(["order-status-page", "screening"]));
});

it("while a market's clock hangs, everything that waits for wall time is woken again and again", async () => {
  const base = systemContext("test");
  await makeAccount(db(), (await makeUser(db())).id);
  await runDueSchedules({ ...base, queue: { enqueue: () => Promise.resolve() } });
  const [clock, isHanging, isWoken] = [door(), door(), door()];
  const rung: string[] = [];
  const timesOf = (job: string) => rung.filter((name) => name === job).length;
  const rounds = scheduleRounds({
    ...base,
    marketData: (market) => {
      const data = base.marketData(market);
      const hanging = () => {
        isHanging.open();
        return clock.opened.then(() => data.clock());
      };
      return { ...data, clock: hanging };
    },
    queue: {
      enqueue: (job) => {
        rung.push(job.name);
        return Promise.resolve();
      },
    },
  });
  // As in the worker: of each part the next round begins when the last one has ended.
  let isOver = false;
  const loops = rounds.map(async ({ round }) => {
    while (!isOver) {
      await db().schedule.updateMany({ where: { market: null }, data: { dueAt: new Date(0) } });
      await round();
      if (timesOf("order-status-page") >= 3) isWoken.open();
    }
  });
  await isHanging.opened;
  await isWoken.opened;
  isOver = true;
  clock.open();
  await Promise.all(loops);
  expect(timesOf("mail")).toBeGreaterThanOrEqual(3);
});

it("the market is looked at so often that everybody's Check Interval is one of whole looks", async () => {
  await db().account.updateMany({ data: { deletedAt: new Date(), status: "INACTIVE", sealedKeys: null } });
  const context: Context = { ...systemContext("test"), queue: { enqueue: () => Promise.resolve() } };
  const everyMs = async (...intervals: number[]) => {
    for (const checkInterval of intervals) {
      const { id: userId } = await makeUser(db());
      await db().tradingPreferences.update({ where: { userId }, data: { checkInterval } });
      await makeAccount(db(), userId);
    }
    await db().schedule.deleteMany();
    await runDueSchedules(context);
    return (await db().schedule.findUniqueOrThrow({ where: { key: "screening:PRACTICE" } })).everyMs;
  };
  expect(await everyMs()).toBe(5 * 60_000);
  expect(await everyMs(60, 60)).toBe(60 * 60_000);
  expect(await everyMs(45)).toBe(15 * 60_000);
  expect(await everyMs(29)).toBe(60_000);
});
