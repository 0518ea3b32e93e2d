/** What a page of accounts decides is what each of them would have decided in its own turn. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { statementsOf } from "@/lib/proof/fixtures/statements-of.ts";
import { jobs } from "@/lib/contracts/jobs.ts";
import { betweenTransactions } from "@/lib/proof/fixtures/between.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { leftBehind, look, openTrader, ROOMY, startMarketDay, undoCycle } from "@/lib/proof/fixtures/cycles.ts";
import type { Context } from "../../context.ts";
import { db } from "../../db.ts";
import { systemContext } from "../../system-context.ts";
import { syncOrders } from "../accounts/sync-orders.ts";
import { ensureFlags } from "../flags/ensure-flags.ts";
import { decidePage } from "./decide-page.ts";
import { newestCycle } from "./newest-cycle.ts";
import { replayDecisions } from "./replay-decisions.ts";
import { runAccountCycle } from "./run-account-cycle.ts";
import { runAccountPage } from "./run-account-page.ts";
import { runScreening, screenForCycle } from "./run-screening.ts";

let exchange: Exchange;
const context = systemContext("test");
const PAUSED = { automationPausedAt: new Date(), pausedReason: "paused by you" };

beforeAll(async () => {
  exchange = await startMarketDay();
  await exchange.control.clock({ advanceMinutes: 6 });
}, 120_000);
afterAll(() => exchange.close());
/** Accounts of other tests take no part. */
beforeEach(async () => {
  await ensureFlags(context);
  await db().account.updateMany({ data: { status: "INACTIVE" } });
});

/** An account whose books were read; paused, it has nothing to send. */
async function trader(user: object = {}, account: object = {}): Promise<string> {
  const { accountId, user: owner } = await openTrader(context, ROOMY);
  await syncOrders(context, { accountId });
  await db().user.update({ where: { id: owner.id }, data: user });
  await db().account.update({ where: { id: accountId }, data: account });
  return accountId;
}
const quietOnes = async (count: number) => {
  const ids: string[] = [];
  while (ids.length < count) ids.push(await trader(PAUSED));
  return ids;
};

/** An account that bought, and is paused now. */
async function holder(): Promise<string> {
  const id = await trader();
  await look(exchange, context, 6);
  await look(exchange, context, 6);
  await syncOrders(context, { accountId: id });
  await db().user.updateMany({ where: { accounts: { some: { id } } }, data: PAUSED });
  return id;
}

/** A look at the market from which the accounts are due. */
async function cycle(minutes = 5) {
  await exchange.control.clock({ advanceMinutes: minutes });
  const screened = await screenForCycle(context, { market: "PRACTICE" });
  const open = await newestCycle(context, screened?.cycleId ?? "");
  if (!open) throw new Error("the market is closed");
  return open;
}

/** What the queue is asked for is kept. */
function listening(on: Context = context) {
  const asked: { job: string; input: unknown }[] = [];
  const enqueue: Context["queue"]["enqueue"] = (job, input) => {
    for (const each of [input].flat()) asked.push({ job: job.name, input: each });
    return Promise.resolve();
  };
  return { asked, on: { ...on, queue: { enqueue } } };
}
const rangeOf = (ids: readonly string[]) => ({ from: [...ids].sort()[0]!, to: [...ids].sort().at(-1)! });

/** Both ways from the same state. */
async function bothWays(accountIds: readonly string[]) {
  const open = await cycle();
  const positions = await db().position.findMany();
  expect(await decidePage(context, { cycle: open, accountIds })).toEqual([]);
  const page = await leftBehind(open.id);
  await undoCycle(open.id, positions);
  for (const accountId of accountIds) await runAccountCycle(context, { cycleId: open.id, accountId });
  return { page, single: await leftBehind(open.id), positions };
}

describe("a quiet decision of a page is that of the account's own turn, byte for byte", () => {
  it("of accounts that hold, are paused, disabled, stopped, halted or removed from buying, with reviews and what is said", async () => {
    const holder = await trader();
    await look(exchange, context, 6);
    await look(exchange, context, 6);
    await look(exchange, context, 6);
    const killed = { killReason: "test", killSource: "ADMIN", killSetAt: new Date() };
    const ids = [
      holder,
      await trader(PAUSED),
      await trader({ disabledAt: new Date() }),
      await trader({}, { ...killed, killState: "NO_NEW_ENTRIES" }),
      await trader({}, { ...killed, killState: "REDUCE_ONLY" }),
      await trader({}, { haltedAt: new Date(), haltReason: "test" }),
    ];
    await syncOrders(context, { accountId: holder });
    // Memories that this look has to change.
    await db().position.updateMany({ data: { review: { highestClose: null, weakReviews: 0 } } });
    const { page, single, positions } = await bothWays(ids);
    expect(positions.length).toBeGreaterThan(0);
    expect(page.records.map(({ accountId }) => accountId)).toEqual([...ids].sort());
    expect(page).toEqual(single);
    expect(page.reviews).not.toEqual(positions.map(({ review }) => review));
    // Accounts without an earlier message get one; what is the same as before, but for its time of day, is not said again.
    expect(page.log.length).toBeGreaterThan(0);
    const again = await bothWays(ids);
    expect(again.page).toEqual(again.single);
    expect(again.page.records).toHaveLength(ids.length);
    expect(again.page.log.length).toBeLessThan(page.log.length);
    for await (const { differences, refusal } of replayDecisions({ db: db() }, {}))
      expect({ differences, refusal }).toEqual({ differences: [], refusal: null });
  }, 60_000);

  it("where QA stops what would be bought", async () => {
    const id = await trader();
    await db().featureFlag.updateMany({ where: { name: "qa_live_gate" }, data: { enabled: true } });
    await db().qaResult.deleteMany();
    const { page, single } = await bothWays([id]);
    await db().featureFlag.updateMany({ where: { name: "qa_live_gate" }, data: { enabled: false } });
    expect(JSON.stringify(page.records)).toContain("QA: the rules were not run");
    expect(page).toEqual(single);
  });
});

describe("a page", () => {
  it("decides for those that send nothing, and wakes a job for the one that orders", async () => {
    const quiet = await quietOnes(2);
    const buyer = await trader();
    const open = await cycle();
    const { asked, on } = listening();
    await runAccountPage(on, { cycleId: open.id, ...rangeOf([...quiet, buyer]) });
    expect(asked).toEqual([{ job: jobs.accountCycle.name, input: { cycleId: open.id, accountId: buyer } }]);
    const decided = () => db().decisionRecord.findMany({ where: { cycleId: open.id }, select: { accountId: true } });
    expect((await decided()).map(({ accountId }) => accountId).sort()).toEqual([...quiet].sort());
    expect(await db().intent.count({ where: { accountId: buyer } })).toBe(0);
    await runAccountCycle(context, { cycleId: open.id, accountId: buyer });
    expect(await db().intent.count({ where: { accountId: buyer, status: "LIVE" } })).toBeGreaterThan(0);
    // A page that comes again finds no account that is due.
    await runAccountPage(on, { cycleId: open.id, ...rangeOf([...quiet, buyer]) });
    expect(asked).toHaveLength(1);
    expect(await decided()).toHaveLength(3);
  });

  it("that runs twice at once decides once for each, and says it once", async () => {
    const quiet = await quietOnes(4);
    const open = await cycle();
    const { asked, on } = listening();
    const page = { cycleId: open.id, ...rangeOf(quiet) };
    await Promise.all([1, 2, 3].map(() => runAccountPage(on, page)));
    const { records, log } = await leftBehind(open.id);
    expect(records.map(({ accountId }) => accountId)).toEqual([...quiet].sort());
    expect(log).toHaveLength(quiet.length);
    expect(asked).toEqual([]);
  });

  it("leaves a decision that is there as it is, and stores the others", async () => {
    const [first, ...rest] = await quietOnes(3);
    const open = await cycle();
    await runAccountCycle(context, { cycleId: open.id, accountId: first! });
    const before = await leftBehind(open.id);
    expect(await decidePage(context, { cycle: open, accountIds: [first!, ...rest] })).toEqual([]);
    const after = await leftBehind(open.id);
    expect(after.records).toHaveLength(3);
    expect(after.records).toEqual(expect.arrayContaining(before.records));
    expect(after.log).toHaveLength(3);
  });

  it("hands on whom it cannot read, and loses no other: a broker that fails, rows that make no state, books not read", async () => {
    const [sound] = await quietOnes(1);
    const [failing, bare, unread] = [
      await trader(PAUSED),
      await trader(PAUSED),
      await trader(PAUSED, { reconciledAt: null }),
    ];
    const { userId } = await db().account.findUniqueOrThrow({ where: { id: bare } });
    await db().tradingPreferences.delete({ where: { userId } });
    const brokers: Context["brokers"] = {
      ...context.brokers,
      forAccount: (account) => {
        if (account.id === failing) throw new Error("the broker does not answer");
        return context.brokers.forAccount(account);
      },
    };
    const open = await cycle();
    const accountIds = [sound!, failing, bare, unread];
    expect(await decidePage({ ...context, brokers }, { cycle: open, accountIds })).toEqual([failing, bare, unread]);
    const { records } = await leftBehind(open.id);
    expect(records.map(({ accountId }) => accountId)).toEqual([sound]);
  });

  it("whose record fails leaves nothing behind, and every account takes its own turn", async () => {
    const quiet = await quietOnes(2);
    const open = await cycle();
    const broken = betweenTransactions(context, () => Promise.reject(new Error("the database is unavailable")));
    expect(await decidePage(broken, { cycle: open, accountIds: quiet })).toEqual(quiet);
    expect((await leftBehind(open.id)).records).toEqual([]);
    expect(await decidePage(context, { cycle: open, accountIds: quiet })).toEqual([]);
    expect((await leftBehind(open.id)).records).toHaveLength(2);
  });

  it("whose last run ended its worker decides nothing: alone, each account is found and halted", async () => {
    const quiet = await quietOnes(2);
    const open = await cycle();
    const page = { cycleId: open.id, ...rangeOf(quiet) };
    const key = `account-page:${page.from}`;
    await db().jobRun.create({ data: { key, job: "account-page", unfinished: 2, startedAt: new Date() } });
    const { asked, on } = listening();
    await runAccountPage(on, page);
    expect(asked.map(({ input }) => input)).toEqual(
      [...quiet].sort().map((accountId) => ({ cycleId: open.id, accountId })),
    );
    expect((await leftBehind(open.id)).records).toEqual([]);
  });

  it("hands on an account whose resting stop would be raised, though its plan orders nothing", async () => {
    const id = await holder();
    const [held] = await db().position.findMany({ where: { accountId: id, strategy: "MOMENTUM" } });
    const { symbol, currentPrice } = held!;
    expect(await decidePage(context, { cycle: await cycle(), accountIds: [id] })).toEqual([]);
    await db().position.updateMany({
      where: { accountId: id, symbol },
      data: { review: { highestClose: currentPrice!.toString(), weakReviews: 0, belowTrend: 0 } },
    });
    await db().order.updateMany({ where: { accountId: id, symbol, role: "STOP" }, data: { stopPrice: "1" } });
    const open = await cycle();
    expect(await decidePage(context, { cycle: open, accountIds: [id] })).toEqual([id]);
    expect((await leftBehind(open.id)).records).toEqual([]);
  }, 60_000);

  it("does not write the memory of a position into one that was bought anew meanwhile", async () => {
    const id = await holder();
    const of = { where: { accountId: id } };
    await db().position.updateMany({ ...of, data: { review: {} } });
    const held = await db().position.findMany(of);
    expect(held.length).toBeGreaterThan(1);
    const { symbol } = held[0]!;
    const open = await cycle();
    const anew = betweenTransactions(context, async () => {
      await db().position.updateMany({
        where: { accountId: id, symbol },
        data: { openedAt: new Date(open.startedAt) },
      });
    });
    expect(await decidePage(anew, { cycle: open, accountIds: [id] })).toEqual([]);
    for (const row of await db().position.findMany(of))
      expect(row.review, row.symbol).toEqual(row.symbol === symbol ? {} : expect.objectContaining({ weakReviews: 0 }));
  }, 60_000);
});

describe("the cost of a page", () => {
  /** The statements of a page of so many quiet accounts, without the one for requests to the broker. */
  async function deciding(count: number): Promise<string[]> {
    await db().account.updateMany({ data: { status: "INACTIVE" } });
    const quiet = await quietOnes(count);
    const open = await cycle();
    const { on } = listening();
    const sent = await statementsOf(() => runAccountPage(on, { cycleId: open.id, ...rangeOf(quiet) }));
    expect((await leftBehind(open.id)).records).toHaveLength(count);
    return sent;
  }

  it("is 20 statements, one for requests and one for the sheet of a new cycle, however many accounts it has", async () => {
    await deciding(1);
    const [few, many] = [await deciding(2), await deciding(12)];
    expect(few.length, few.join("\n")).toBeLessThanOrEqual(20);
    expect(many).toEqual(few);
  }, 60_000);
});

it("a look wakes pages of accounts that are the same from cycle to cycle, and none in which no account is due", async () => {
  const sample = await trader();
  const row = await db().account.findUniqueOrThrow({ where: { id: sample } });
  const ids = Array.from({ length: 119 }, (_, nth) => `ffffffff-0000-7000-8000-${String(nth).padStart(12, "0")}`);
  await db().account.createMany({
    data: ids.map((id) => ({
      id,
      userId: row.userId,
      broker: row.broker,
      market: row.market,
      environment: row.environment,
      brokerAccountId: randomUUID(),
      keyPrefix: row.keyPrefix,
      sealedKeys: row.sealedKeys,
      access: row.access,
    })),
  });
  const all = [sample, ...ids];
  const wake = async () => {
    await exchange.control.clock({ advanceMinutes: 5 });
    const { asked, on } = listening();
    await runScreening(on, { market: "PRACTICE" });
    return asked.map(({ job, input }) => {
      const { from, to } = input as { from: string; to: string };
      return { job, page: [all.indexOf(from), all.indexOf(to)] };
    });
  };
  const page = (from: number, to: number) => ({ job: "account-page", page: [from, to] });
  expect(await wake()).toEqual([page(0, 49), page(50, 99), page(100, 119)]);
  // The accounts of the second page decided a moment ago.
  const { id: cycleId, snapshotId } = await db().cycle.findFirstOrThrow({ orderBy: { startedAt: "desc" } });
  const record = {
    cycleId,
    snapshotId: snapshotId!,
    engineVersion: "1",
    policyVersion: "2.9.0",
    inputHash: "",
    outputHash: "",
  };
  await db().decisionRecord.createMany({
    data: all.slice(50, 100).map((accountId) => ({
      ...record,
      accountId,
      accountState: {},
      plan: {},
      line: "",
      decidedAt: new Date("2030-01-01"),
    })),
  });
  expect(await wake()).toEqual([page(0, 49), page(100, 119)]);
});
