import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, it } from "vitest";
import type { MarketName, RoleName } from "@/lib/domain/enums.ts";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import { db } from "../../db.ts";
import { forgetEnv } from "../../env.ts";
import type { MarketData } from "../../providers/market-data.ts";
import { systemContext } from "../../system-context.ts";
import { reviewDay } from "./review-day.ts";

/** 23:30 in New York, when the day in London is the next one already. */
const PRACTICE_NOW = "2020-02-04T04:30:00.000Z";
const US_NOW = "2026-11-20T15:00:00.000Z";

let userId: string;
let practice: string;

beforeAll(() => {
  Object.assign(process.env, {
    EXCHANGE_URL: "http://127.0.0.1:9",
    ALPACA_DATA_KEY_ID: "data",
    ALPACA_DATA_SECRET: "data",
  });
  forgetEnv();
});

beforeEach(async () => {
  userId = (await makeUser(db())).id;
  practice = (await makeAccount(db(), userId)).id;
});

let asked = 0;
function clockAt(now: string): MarketData {
  const clock = async () => {
    asked += 1;
    return { now, isOpen: true, nextOpen: now, nextClose: now };
  };
  return { clock } as unknown as MarketData;
}

function contextOf(role: RoleName = "USER") {
  const clocks = { PRACTICE: clockAt(PRACTICE_NOW), US: clockAt(US_NOW) };
  return {
    ...systemContext("test"),
    actor: { kind: "user", userId, role, signInId: userId } as const,
    marketData: (market: MarketName) => clocks[market],
  };
}

const snapshotId = "review-day";
const policyVersion = "review-day";

async function decided(accountId: string, at: string, seated: number, market: MarketName = "PRACTICE") {
  await db().policyVersion.upsert({
    where: { version: policyVersion },
    create: { version: policyVersion, content: {}, status: "RETIRED" },
    update: {},
  });
  const instant = new Date(at);
  const sessionDate = new Date(at.slice(0, 10));
  await db().marketSnapshot.upsert({
    where: { id: snapshotId },
    create: { id: snapshotId, market, asOf: instant, content: {} },
    update: {},
  });
  const cycle = await db().cycle.upsert({
    where: { market_startedAt: { market, startedAt: instant } },
    create: { market, startedAt: instant, sessionDate, seated },
    update: {},
  });
  await db().decisionRecord.create({
    data: {
      cycleId: cycle.id,
      accountId,
      engineVersion: "1",
      policyVersion,
      snapshotId,
      inputHash: "",
      outputHash: "",
      accountState: {},
      plan: {},
      line: "",
      decidedAt: instant,
    },
  });
}

async function filled(accountId: string, fills: string[]) {
  const at = new Date(fills[0] ?? 0);
  const order = await db().order.create({
    data: {
      accountId,
      origin: "EXTERNAL",
      role: "EXTERNAL",
      brokerOrderId: randomUUID(),
      clientOrderId: randomUUID(),
      symbol: "AAPL",
      side: "BUY",
      orderClass: "SIMPLE",
      type: "MARKET",
      timeInForce: "day",
      qty: "10",
      status: "FILLED",
      brokerStatus: "filled",
      filledQty: "10",
      filledAvgPrice: "10",
      filledValue: "100",
      submittedAt: at,
      tradedAt: at,
      brokerUpdatedAt: at,
    },
  });
  for (const instant of fills) {
    await db().fill.create({
      data: {
        accountId,
        orderId: order.id,
        executionId: randomUUID(),
        symbol: "AAPL",
        side: "BUY",
        qty: "1",
        price: "10",
        source: "STREAM",
        at: new Date(instant),
      },
    });
  }
}

it("stocks are counted once for each look, orders once however many fills, from midnight to midnight in New York", async () => {
  await decided(practice, "2020-02-03T05:00:00.000Z", 50);
  await decided(practice, "2020-02-04T04:59:59.999Z", 49);
  await decided(practice, "2020-02-03T04:59:59.999Z", 1_000);
  await decided(practice, "2020-02-04T05:00:00.000Z", 1_000);
  await filled(practice, ["2020-02-03T15:00:00.000Z", "2020-02-03T15:00:01.000Z"]);
  // Sent and partly filled the day before, filled on the day.
  await filled(practice, ["2020-02-02T15:00:00.000Z", "2020-02-03T05:00:00.000Z"]);
  await filled(practice, ["2020-02-03T04:59:59.999Z"]);
  await filled(practice, ["2020-02-04T05:00:00.000Z"]);
  const stranger = (await makeAccount(db(), (await makeUser(db())).id)).id;
  await decided(stranger, "2020-02-03T15:05:00.000Z", 7);
  await filled(stranger, ["2020-02-03T15:05:00.000Z"]);
  expect(await reviewDay(contextOf(), {})).toEqual({
    environment: "PRACTICE",
    environments: ["PRACTICE"],
    sessionDate: "2020-02-03",
    decisions: 2,
    reviewed: 99,
    executed: 2,
  });
  const all = await reviewDay(contextOf("ADMIN"), { environment: "PRACTICE" });
  expect(all).toMatchObject({ environment: "PRACTICE", decisions: 3, reviewed: 106, executed: 3 });
});

it("each environment is counted by itself on the day of its own market, and the most real one unasked", async () => {
  const paper = (await makeAccount(db(), userId, { broker: "ALPACA" })).id;
  const live = (await makeAccount(db(), userId, { broker: "ALPACA", environment: "LIVE" })).id;
  await decided(practice, "2020-02-03T16:00:00.000Z", 10);
  await decided(paper, "2026-11-20T14:40:00.000Z", 20, "US");
  await decided(live, "2026-11-20T14:40:00.000Z", 20, "US");
  await decided(live, "2026-11-20T14:45:00.000Z", 30, "US");
  await filled(live, ["2026-11-20T14:46:00.000Z"]);
  const environments = ["LIVE", "PAPER", "PRACTICE"] as const;
  const inLive = { environment: "LIVE", sessionDate: "2026-11-20", decisions: 2, reviewed: 50, executed: 1 };
  expect(await reviewDay(contextOf(), {})).toEqual({ environments, ...inLive });
  const others = environments.map((environment) => reviewDay(contextOf(), { environment }));
  expect(await Promise.all(others)).toEqual([
    { environments, ...inLive },
    { environments, environment: "PAPER", sessionDate: "2026-11-20", decisions: 1, reviewed: 20, executed: 0 },
    { environments, environment: "PRACTICE", sessionDate: "2020-02-03", decisions: 1, reviewed: 10, executed: 0 },
  ]);
});

it("an account that was deleted still counts where it left a history; without accounts there is nothing", async () => {
  await decided(practice, "2020-02-03T17:00:00.000Z", 10);
  await makeAccount(db(), userId, { broker: "ALPACA", environment: "LIVE" });
  await db().account.updateMany({
    where: { userId },
    data: { deletedAt: new Date(), sealedKeys: null, keyPrefix: null, status: "INACTIVE" },
  });
  expect(await reviewDay(contextOf(), {})).toMatchObject({ environments: ["PRACTICE"], reviewed: 10 });
  userId = (await makeUser(db())).id;
  const nothing = { environment: null, environments: [], decisions: 0, reviewed: 0, executed: 0, sessionDate: null };
  expect(await reviewDay(contextOf(), {})).toEqual(nothing);
});

it("the broker's clock is read once for all requests within seconds, and again after a failure", async () => {
  const context = contextOf();
  asked = 0;
  await Promise.all([reviewDay(context, {}), reviewDay(context, {})]);
  await reviewDay(context, {});
  expect(asked).toBe(1);
  await reviewDay({ ...context, now: () => new Date(Date.now() + 5_000) }, {});
  expect(asked).toBe(2);

  let isUnavailable = true;
  const data = {
    clock: async () => {
      if (isUnavailable) throw new Error("unavailable");
      return { now: PRACTICE_NOW, isOpen: true, nextOpen: PRACTICE_NOW, nextClose: PRACTICE_NOW };
    },
  } as unknown as MarketData;
  const unlucky = { ...context, marketData: () => data };
  await expect(reviewDay(unlucky, {})).rejects.toThrow("unavailable");
  isUnavailable = false;
  expect(await reviewDay(unlucky, {})).toMatchObject({ sessionDate: "2020-02-03" });
});
