import { beforeEach, describe, expect, it } from "vitest";
import { decide } from "@/lib/proof/fixtures/orders.ts";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import type { Broker } from "../../broker/broker.ts";
import { db } from "../../db.ts";
import { env, forgetEnv } from "../../env.ts";
import { systemContext } from "../../system-context.ts";
import { scheduleKey } from "../schedule/schedule-keys.ts";
import { beat } from "../schedule/worker-lease.ts";
import { readHeartbeat } from "./read-heartbeat.ts";

const look = (startedAt: Date, status: "DONE" | "RUNNING") =>
  db().cycle.create({ data: { market: "PRACTICE", startedAt, sessionDate: new Date("2020-02-03"), status } });

it("the defaults of the registration are no choice of strategy; a later save is one, of the same values too", async () => {
  const { id: userId } = await makeUser(db());
  const { createdAt } = await db().user.findUniqueOrThrow({ where: { id: userId } });
  const actor = { kind: "user", userId, role: "USER", signInId: "test" } as const;
  const context = { ...systemContext("test"), actor };
  const savedAfter = (ms: number) =>
    db().tradingPreferences.update({ where: { userId }, data: { updatedAt: new Date(createdAt.getTime() + ms) } });
  await savedAfter(40);
  expect(await readHeartbeat(context, {})).toMatchObject({
    hasChosenStrategy: false,
    hasDecided: false,
    lastDecision: null,
  });
  await savedAfter(60_000);
  expect(await readHeartbeat(context, {})).toMatchObject({ hasChosenStrategy: true });
});

it("of a person without an account nothing ran and nothing is due; each environment has the run of its own market", async () => {
  const { id: userId } = await makeUser(db());
  const context = {
    ...systemContext("test"),
    actor: { kind: "user", userId, role: "USER", signInId: "test" } as const,
  };
  const ranAt = new Date("2020-02-03T15:00:00Z");
  const dueAt = new Date("2020-02-03T15:05:00Z");
  await db().schedule.upsert({
    where: { key: scheduleKey("screening", "PRACTICE") },
    create: { key: scheduleKey("screening", "PRACTICE"), job: "screening", dueAt, lastMarketAt: ranAt },
    update: { dueAt, lastMarketAt: ranAt },
  });
  await look(ranAt, "DONE");
  const nothing = { lastRunAt: null, nextRunAt: null };
  expect(await readHeartbeat(context, {})).toMatchObject({
    ...{ environment: null, environments: [], isInitialized: false, marketScreening: nothing },
  });
  await makeAccount(db(), userId);
  await makeAccount(db(), userId, { broker: "ALPACA" });
  expect(await readHeartbeat(context, { environment: "PRACTICE" })).toMatchObject({
    ...{ environment: "PRACTICE", environments: ["PAPER", "PRACTICE"], marketScreening: { lastRunAt: ranAt } },
  });
  expect(await readHeartbeat(context, {})).toMatchObject({ environment: "PAPER", marketScreening: nothing });
});

describe("a look at the market that does not succeed", () => {
  const DUE = new Date("2020-02-03T15:25:00Z");
  async function person(broker: "PRACTICE" | "ALPACA") {
    const { id: userId } = await makeUser(db());
    await makeAccount(db(), userId, { broker });
    const actor = { kind: "user", userId, role: "USER", signInId: "test" } as const;
    const context = { ...systemContext("test"), actor };
    await beat(context, "test", {});
    return () => readHeartbeat(context, {});
  }
  async function row(
    market: "PRACTICE" | "US",
    data: { dueAt: Date; lastMarketAt?: Date; lastStatus: "done" | "failed" },
  ) {
    const key = scheduleKey("screening", market);
    await db().schedule.upsert({ where: { key }, create: { key, job: "screening", market, ...data }, update: data });
  }

  it("is not the last run, and is said to have failed until one succeeds", async () => {
    const read = await person("PRACTICE");
    const doneAt = new Date("2020-02-03T15:10:00Z");
    await look(doneAt, "DONE");
    // Begun and broken off: its cycle stays as it was.
    await look(new Date("2020-02-03T15:15:00Z"), "RUNNING");
    const lastMarketAt = new Date("2020-02-03T15:20:00Z");
    await row("PRACTICE", { dueAt: DUE, lastMarketAt, lastStatus: "failed" });
    expect(await read()).toMatchObject({
      marketScreening: { status: "IDLE", lastRunAt: doneAt, nextRunAt: DUE },
      limitation: expect.stringContaining("The last look at the market failed") as string,
    });
    await row("PRACTICE", { dueAt: DUE, lastMarketAt, lastStatus: "done" });
    expect(await read()).toMatchObject({ marketScreening: { status: "RUNNING", nextRunAt: DUE }, limitation: null });
  });

  it("is said to be overdue where it has not begun a minute after its time, and promises no next run", async () => {
    const read = await person("ALPACA");
    Object.assign(process.env, { ALPACA_DATA_KEY_ID: "PKDATA", ALPACA_DATA_SECRET: "s".repeat(16) });
    forgetEnv();
    const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);
    const overdue = expect.stringContaining("has not begun") as string;
    try {
      await row("US", { dueAt: ago(90), lastStatus: "done" });
      expect(await read()).toMatchObject({
        marketScreening: { status: "IDLE", nextRunAt: null },
        limitation: overdue,
      });
      const dueAt = ago(20);
      await row("US", { dueAt, lastStatus: "done" });
      const inTime = await read();
      expect(inTime).toMatchObject({ marketScreening: { status: "RUNNING", nextRunAt: dueAt } });
      expect(inTime.limitation).not.toEqual(overdue);
    } finally {
      for (const name of ["ALPACA_DATA_KEY_ID", "ALPACA_DATA_SECRET"]) Reflect.deleteProperty(process.env, name);
      forgetEnv();
    }
  });

  it("has no next time while the practice market answers none of its accounts", async () => {
    const read = await person("PRACTICE");
    await row("PRACTICE", { dueAt: DUE, lastStatus: "done" });
    await db().account.updateMany({ data: { reconciledAt: new Date(Date.now() - 600_000) } });
    expect(await read()).toMatchObject({ marketScreening: { nextRunAt: null } });
  });
});

it("the automation is not running while the broker of an account misses its readings, and says why", async () => {
  const { id: userId } = await makeUser(db());
  const actor = { kind: "user", userId, role: "USER", signInId: "test" } as const;
  const context = { ...systemContext("test"), actor };
  await beat(context, "test", {});
  const { id } = await makeAccount(db(), userId);
  const readAgo = async (seconds: number) => {
    await db().account.update({ where: { id }, data: { reconciledAt: new Date(Date.now() - seconds * 1000) } });
    return readHeartbeat(context, {});
  };
  expect(await readAgo(30)).toMatchObject({ marketScreening: { status: "RUNNING" }, limitation: null });
  expect(await readAgo(80)).toMatchObject({
    orderStatusUpdate: { status: "IDLE" },
    marketScreening: { status: "IDLE" },
    limitation: expect.stringContaining("The broker does not answer") as string,
  });
});

it("the automation runs while one of two brokers is silent, and says of which part nothing is bought", async () => {
  const { id: userId } = await makeUser(db());
  const actor = { kind: "user", userId, role: "USER", signInId: "test" } as const;
  const context = { ...systemContext("test"), actor };
  await beat(context, "test", {});
  const [silent, other] = [await makeAccount(db(), userId), await makeAccount(db(), userId)];
  const change = ({ id }: { id: string }, data: { reconciledAt?: Date; status?: "PAUSED" }) =>
    db().account.update({ where: { id }, data });
  await change(silent, { reconciledAt: new Date(Date.now() - 600_000) });
  await change(other, { reconciledAt: new Date() });
  expect(await readHeartbeat(context, {})).toMatchObject({
    orderStatusUpdate: { status: "RUNNING" },
    marketScreening: { status: "RUNNING" },
    limitation:
      "The broker of 1 of 2 active accounts does not answer: nothing new is bought there until it does, stops that rest there keep working.",
  });
  // What is paused buys nothing anyway.
  await change(other, { status: "PAUSED" });
  expect(await readHeartbeat(context, {})).toMatchObject({
    orderStatusUpdate: { status: "IDLE" },
    limitation: expect.stringMatching(/^The broker does not answer: /) as string,
  });
  await change(silent, { status: "PAUSED" });
  expect(await readHeartbeat(context, {})).toMatchObject({ limitation: null });
});

it("while an administrator holds the queue no broker is asked, and none is said not to answer", async () => {
  const { id: userId } = await makeUser(db());
  const actor = { kind: "user", userId, role: "USER", signInId: "test" } as const;
  const context = { ...systemContext("test"), actor };
  await beat(context, "test", {});
  const { id } = await makeAccount(db(), userId);
  await db().account.update({ where: { id }, data: { reconciledAt: new Date(Date.now() - 600_000) } });
  await db().systemState.update({ where: { id: 1 }, data: { isQueueActive: false } });
  const held = await readHeartbeat(context, {});
  await db().systemState.update({ where: { id: 1 }, data: { isQueueActive: true } });
  expect(held).toMatchObject({
    marketScreening: { status: "IDLE" },
    pausedReason: "The job queue is paused by an administrator",
    limitation: null,
  });
});

it("a decision from before the schedule's first run is the last run", async () => {
  const { id: userId } = await makeUser(db());
  const actor = { kind: "user", userId, role: "USER", signInId: "test" } as const;
  const system = systemContext("test");
  await db().schedule.deleteMany({ where: { job: "screening" } });
  await db().cycle.deleteMany();
  const { id } = await makeAccount(db(), userId);
  const now = "2020-01-31T20:40:00.000Z";
  const clock = () => Promise.resolve({ now, isOpen: true, nextOpen: now, nextClose: now });
  const brokers = { ...system.brokers, forAccount: () => ({ clock }) as unknown as Broker };
  expect((await readHeartbeat({ ...system, actor }, {})).marketScreening.lastRunAt).toBeNull();
  await decide({ ...system, brokers }, await db().account.findUniqueOrThrow({ where: { id } }), []);
  const { marketScreening, isInitialized } = await readHeartbeat({ ...system, actor }, {});
  expect(marketScreening.lastRunAt).toEqual(new Date(now));
  expect(isInitialized).toBe(false);
});

describe("automation in which nothing may be bought is idle, and says why", () => {
  async function person(...accounts: Parameters<typeof makeAccount>[2][]) {
    const { id: userId } = await makeUser(db());
    const ids: string[] = [];
    for (const account of accounts) ids.push((await makeAccount(db(), userId, account)).id);
    const actor = { kind: "user", userId, role: "USER", signInId: "test" } as const;
    return { userId, ids, read: () => readHeartbeat({ ...systemContext("test"), actor }, {}) };
  }
  const running = { marketScreening: { status: "RUNNING" }, pausedReason: null };
  const idle = (pausedReason: string) => ({ marketScreening: { status: "IDLE" }, pausedReason });

  beforeEach(() => beat({ db: db(), now: () => new Date() }, "heartbeat-test", {}));

  it("where every account of the environment is paused; one that is not keeps it running", async () => {
    const { ids, read } = await person({}, {});
    const set = (id: string, status: "ACTIVE" | "PAUSED") => db().account.update({ where: { id }, data: { status } });
    expect(await read()).toMatchObject(running);
    await set(ids[0]!, "PAUSED");
    expect(await read()).toMatchObject(running);
    await set(ids[1]!, "PAUSED");
    const rest = "paused: nothing is bought, exits and stops keep working.";
    expect(await read()).toMatchObject(idle(`Your 2 practice accounts are ${rest}`));
    const alone = await person({});
    await set(alone.ids[0]!, "PAUSED");
    expect(await alone.read()).toMatchObject(idle(`Your practice account is ${rest}`));
  });

  it("where the flag automation_enabled is off", async () => {
    const { read } = await person({});
    const flag = { name: "automation_enabled", environment: env().FLAG_ENVIRONMENT };
    await db().featureFlag.upsert({
      where: { name_environment: flag },
      create: { ...flag, description: "", enabled: false },
      update: { enabled: false },
    });
    const reason = "Automation is switched off for everyone: nothing is bought, exits and stops keep working.";
    expect(await read()).toMatchObject(idle(reason));
    await db().featureFlag.update({ where: { name_environment: flag }, data: { enabled: true } });
    expect(await read()).toMatchObject(running);
  });

  it("where the accounts are live and Paper Trading Only is on", async () => {
    const { userId, read } = await person({ broker: "ALPACA", environment: "LIVE" });
    expect(await read()).toMatchObject(idle("Paper Trading Only is on: nothing is traded in your live account."));
    // Exits are not sent either: no other reason says that they are.
    const automationPausedAt = new Date();
    await db().user.update({ where: { id: userId }, data: { automationPausedAt, pausedReason: "On holiday" } });
    expect(await read()).toMatchObject(idle("Paper Trading Only is on: nothing is traded in your live account."));
    await db().user.update({ where: { id: userId }, data: { automationPausedAt: null, pausedReason: null } });
    await db().tradingPreferences.update({ where: { userId }, data: { paperTradingOnly: false } });
    expect(await read()).toMatchObject(running);
  });

  it("and an administrator's restriction, which lets exits go on, is said while it runs", async () => {
    const { ids, read } = await person({});
    const restriction = { killState: "NO_NEW_ENTRIES", killReason: "Under review" } as const;
    await db().account.update({ where: { id: ids[0]! }, data: restriction });
    expect(await read()).toMatchObject({
      marketScreening: { status: "RUNNING" },
      pausedReason:
        "No new positions are opened; open entry orders are cancelled, except those of a rotation. Under review",
    });
  });
});
