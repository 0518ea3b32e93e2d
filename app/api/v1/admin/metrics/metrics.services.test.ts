import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { randomUUID } from "node:crypto";
import type { adminUsersApi } from "@/lib/contracts/admin-users.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { TripOutcome } from "@/lib/domain/enums.ts";
import { db } from "@/lib/server/db.ts";
import { dateOf } from "@/lib/server/rows.ts";
import { forgetPerson } from "@/lib/server/services/erasure/forget-person.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { beat } from "@/lib/server/services/schedule/worker-lease.ts";
import { makeAccount, makeSignIn, makeUser, type MadeUser } from "@/prisma/factories.ts";
import { callDoor } from "@/lib/proof/call-door.ts";
import * as successDoor from "../trading-success-rate/route.ts";
import * as usersDoor from "../users/route.ts";
import * as activityDoor from "../recent-activity/route.ts";
import * as door from "./route.ts";

const NOT_ERASED = { email: { not: { endsWith: "@erased.invalid" } } };
const AT = new Date("2020-02-03T15:00:00Z");
let admin: MadeUser;
let user: MadeUser;
let [token, userToken] = ["", ""];
const accounts: Record<"practice" | "paper" | "unread" | "closed", string> = {
  practice: "",
  paper: "",
  unread: "",
  closed: "",
};

interface Metrics {
  environment: string;
  environments: string[];
  systemStatus: string;
  systemStatusReason: string | null;
  totalUsers: number;
  usersWithAlpacaKeys: number;
  portfolioValue: number;
  portfolioSummary: object;
  accountHealth: object;
  userHealth: { id: string; email: string; accounts: { id: string; trades: number; environmentLabel: string }[] }[];
  pagination: { nextCursor: string | null };
  queueStatus: { active: boolean } | null;
  auditLogsCount: number;
  apiMetrics: object;
  providers: { provider: string; configured: boolean }[];
  regimeSignals: object | null;
}
const read = async (query = "") => {
  const { status, json, text } = await callDoor(door, "GET", { token, query });
  expect(status, text).toBe(200);
  return json?.data as unknown as Metrics;
};

async function figures(accountId: string, equity: string, netDeposits: string): Promise<void> {
  await db().accountFigures.update({
    where: { accountId },
    data: { equity, netDeposits, cash: "40.10", buyingPower: "80.20", asOf: AT },
  });
}

const trip = (accountId: string, outcome: TripOutcome) => ({
  ...{ accountId, symbol: "SPY", openedAt: AT, closedAt: AT, outcome, pnl: "1" },
});

beforeAll(async () => {
  admin = await makeUser(db(), { role: "ADMIN", firstName: "Grace", lastName: "Hopper" });
  user = await makeUser(db());
  token = await makeSignIn(db(), admin);
  userToken = await makeSignIn(db(), user);
  accounts.practice = (await makeAccount(db(), user.id)).id;
  accounts.paper = (await makeAccount(db(), user.id, { broker: "ALPACA" })).id;
  accounts.unread = (await makeAccount(db(), admin.id, { broker: "ALPACA" })).id;
  accounts.closed = (await makeAccount(db(), user.id, { broker: "ALPACA" })).id;
  await figures(accounts.practice, "1100.50", "1000");
  await figures(accounts.paper, "2000.25", "2500");
  await figures(accounts.closed, "77777", "1");
  await db().accountFigures.update({ where: { accountId: accounts.unread }, data: { asOf: null } });
  await db().account.update({
    where: { id: accounts.closed },
    data: { deletedAt: AT, sealedKeys: null, status: "INACTIVE" },
  });
  await db().order.create({
    data: {
      ...{ accountId: accounts.paper, symbol: "SPY", origin: "EXTERNAL", role: "EXTERNAL", side: "BUY" },
      ...{ orderClass: "SIMPLE", type: "MARKET", timeInForce: "day", qty: "2", status: "FILLED" },
      ...{ brokerStatus: "filled", filledQty: "2", filledAvgPrice: "90", filledValue: "180", submittedAt: AT },
      ...{ tradedAt: AT, brokerUpdatedAt: AT, brokerOrderId: randomUUID(), clientOrderId: randomUUID() },
    },
  });
  await db().roundTrip.createMany({
    data: [
      trip(accounts.paper, "WIN"),
      trip(accounts.paper, "LOSS"),
      trip(accounts.paper, "SCRATCH"),
      trip(accounts.practice, "WIN"),
    ],
  });
});

beforeEach(async () => {
  await beat({ db: db(), now: () => new Date() }, "test", {});
  await db().systemState.update({
    where: { id: 1 },
    data: { isQueueActive: true, killState: "NONE", killReason: null, killSetAt: null },
  });
});

describe("figures", () => {
  it("are those of one environment, and never of two together", async () => {
    const paper = await read();
    expect(paper).toMatchObject({
      environment: "PAPER",
      environments: ["PAPER", "PRACTICE"],
      portfolioValue: 2000.25,
      portfolioSummary: {
        totalValue: 2000.25,
        pnlTotal: -499.75,
        cash: 40.1,
        buyingPower: 80.2,
        accountsInSums: 1,
        accountsUnread: 1,
        asOf: AT.toISOString(),
      },
    });
    const practice = await read("environment=PRACTICE");
    expect(practice).toMatchObject({
      environment: "PRACTICE",
      portfolioValue: 1100.5,
      portfolioSummary: { pnlTotal: 100.5, accountsInSums: 1, accountsUnread: 0 },
    });
    expect(await read("environment=LIVE")).toMatchObject({ portfolioValue: 0, portfolioSummary: { asOf: null } });
  });

  it("count a user once, however many accounts they have", async () => {
    const { totalUsers, usersWithAlpacaKeys } = await read();
    expect(totalUsers).toBe(await db().user.count({ where: NOT_ERASED }));
    expect(usersWithAlpacaKeys).toBe(2);
  });

  it("count and list the users that the page of users has: none whose data was erased", async () => {
    const { id } = await makeUser(db());
    const before = await read("limit=100");
    expect(before.userHealth.map((each) => each.id)).toContain(id);
    const entry = { eventType: "USER_ERASED", actor: systemContext("test").actor, data: {} } as const;
    await forgetPerson(systemContext("test"), { userId: id, unusableHash: "-", isReplayed: true }, entry);
    const after = await read("limit=100");
    const listed = await callDoor(usersDoor, "GET", { token, query: "limit=100" });
    const { users, pagination } = listed.json?.data as unknown as Answer<typeof adminUsersApi.list>;
    expect(after.totalUsers).toBe(before.totalUsers - 1);
    expect(after.totalUsers).toBe(pagination.total);
    expect(after.userHealth.map((each) => each.id)).toEqual(users.map((each) => each.id));
    expect(after.userHealth.map((each) => each.id)).not.toContain(id);
  });

  it("count each account under the most severe state that holds", async () => {
    await db().account.update({ where: { id: accounts.unread }, data: { haltedAt: AT, haltReason: "Books differ" } });
    expect((await read()).accountHealth).toEqual({ active: 1, paused: 0, halted: 1, stopped: 0 });
    await db().account.update({ where: { id: accounts.unread }, data: { haltedAt: null, haltReason: null } });
    await db().account.update({ where: { id: accounts.paper }, data: { status: "PAUSED" } });
    expect((await read()).accountHealth).toEqual({ active: 1, paused: 1, halted: 0, stopped: 0 });
    await db().account.update({ where: { id: accounts.paper }, data: { status: "ACTIVE" } });
  });

  it("count accounts under what holds for their owner as a whole, and tell it of the owner", async () => {
    const mine = async () => (await read("limit=100")).userHealth.find(({ id }) => id === user.id);
    const free = { killState: "NONE", killSetAt: null, automationPausedAt: null, disabledAt: null } as const;
    const set = (change: object) => db().user.update({ where: { id: user.id }, data: { ...free, ...change } });
    await set({ killState: "REDUCE_ONLY", killSetAt: AT });
    expect((await read()).accountHealth).toEqual({ active: 1, paused: 0, halted: 0, stopped: 1 });
    expect(await mine()).toMatchObject({ killState: "REDUCE_ONLY", isPaused: false });
    await set({ disabledAt: AT });
    expect((await read()).accountHealth).toEqual({ active: 1, paused: 0, halted: 0, stopped: 1 });
    await set({ automationPausedAt: AT });
    expect((await read()).accountHealth).toEqual({ active: 1, paused: 1, halted: 0, stopped: 0 });
    expect(await mine()).toMatchObject({ killState: "NONE", isPaused: true });
    await set({});
    await db().account.update({ where: { id: accounts.paper }, data: { killState: "FLATTEN", killSetAt: AT } });
    expect((await mine())?.accounts).toMatchObject([{ killState: "NONE" }, { killState: "FLATTEN" }]);
    await db().account.update({ where: { id: accounts.paper }, data: { killState: "NONE", killSetAt: null } });
    expect((await read()).accountHealth).toEqual({ active: 2, paused: 0, halted: 0, stopped: 0 });
  });

  it("tell the last regime of the environment's market alone", async () => {
    expect((await read()).regimeSignals).toBeNull();
    const reading = { label: "risk_off" as const, vix: 31.5, votes: -2, hasFlipped: false, memory: {} };
    await db().regimeReading.createMany({
      data: [
        { ...reading, market: "US", sessionDate: dateOf("2020-02-03") },
        { ...reading, market: "US", sessionDate: dateOf("2020-01-03"), label: "risk_on" },
      ],
    });
    expect((await read()).regimeSignals).toEqual({
      regime_label: "risk_off",
      market: "US",
      sessionDate: "2020-02-03",
      vix: 31.5,
      votes: -2,
    });
    expect((await read("environment=PRACTICE")).regimeSignals).toBeNull();
  });

  it("tell the length of the audit trail and the queue's state", async () => {
    const last = await db().auditEvent.aggregate({ _max: { seq: true } });
    const { auditLogsCount, queueStatus } = await read();
    expect(auditLogsCount).toBe(Number(last._max.seq ?? 0n));
    expect(queueStatus).toMatchObject({ active: true, totalJobs: expect.any(Number) as number });
  });
});

describe("users", () => {
  it("come with the accounts that they have, and the trades of each", async () => {
    const { userHealth } = await read("limit=100");
    const mine = userHealth.find(({ id }) => id === user.id);
    expect(mine).toMatchObject({ email: user.email, role: "USER", isDisabled: false });
    expect(mine?.accounts.map(({ id, trades, environmentLabel }) => [id, trades, environmentLabel])).toEqual([
      [accounts.practice, 0, "PRACTICE"],
      [accounts.paper, 1, "PAPER"],
    ]);
    expect(JSON.stringify(userHealth)).not.toMatch(/hash|sealed|secret/i);
  });

  it("come in pages, newest first, and each of them once", async () => {
    await makeUser(db());
    await makeUser(db());
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page: Metrics = await read(`limit=1${cursor === "" ? "" : `&cursor=${cursor}`}`);
      seen.push(...page.userHealth.map(({ id }) => id));
      cursor = page.pagination.nextCursor;
    }
    const all = await db().user.findMany({
      where: NOT_ERASED,
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      select: { id: true },
    });
    expect(seen).toEqual(all.map(({ id }) => id));
  });
});

describe("the status of the system", () => {
  it("is RUNNING while the worker beats and nothing is stopped", async () => {
    expect(await read()).toMatchObject({ systemStatus: "RUNNING", systemStatusReason: null });
  });

  it("is STOPPED when the worker has fallen silent", async () => {
    await beat({ db: db(), now: () => new Date(Date.now() - 120_000) }, "test", {});
    expect((await read()).systemStatus).toBe("STOPPED");
  });

  it("is PAUSED with a paused queue, and while automation is switched off", async () => {
    await db().systemState.update({ where: { id: 1 }, data: { isQueueActive: false } });
    const paused = await read();
    expect(paused).toMatchObject({ systemStatus: "PAUSED", queueStatus: { active: false } });
    await db().systemState.update({ where: { id: 1 }, data: { isQueueActive: true } });
    await db().featureFlag.create({ data: { name: "automation_enabled", enabled: false } });
    expect(await read()).toMatchObject({ systemStatus: "PAUSED" });
    await db().featureFlag.deleteMany({ where: { name: "automation_enabled" } });
  });

  it("is DEGRADED while the broker of an account misses its readings", async () => {
    const { id } = await makeAccount(db(), (await makeUser(db())).id);
    const readAgo = (seconds: number) =>
      db().account.update({ where: { id }, data: { reconciledAt: new Date(Date.now() - seconds * 1000) } });
    await readAgo(30);
    expect((await read()).systemStatus).toBe("RUNNING");
    await readAgo(80);
    expect((await read()).systemStatus).toBe("DEGRADED");
  });

  it("is RESTRICTED, with the reason, while the kill switch is on", async () => {
    await db().systemState.update({
      where: { id: 1 },
      data: { killState: "REDUCE_ONLY", killReason: "Outage", killSetAt: new Date() },
    });
    const { systemStatus, systemStatusReason } = await read();
    expect(systemStatus).toBe("RESTRICTED");
    expect(systemStatusReason).toContain("Outage");
  });
});

describe("the trading success rate", () => {
  it("is of all closed round trips of one environment, removed accounts included", async () => {
    const { json } = await callDoor(successDoor, "GET", { token });
    expect(json?.data).toMatchObject({ environment: "PAPER", profitableTrades: 1, totalTrades: 3, successRate: 1 / 3 });
    const practice = await callDoor(successDoor, "GET", { token, query: "environment=PRACTICE" });
    expect(practice.json?.data).toMatchObject({ profitableTrades: 1, totalTrades: 1, successRate: 1 });
  });

  it("is not defined before the first one", async () => {
    const { json } = await callDoor(successDoor, "GET", { token, query: "environment=LIVE" });
    expect(json?.data).toMatchObject({ profitableTrades: 0, totalTrades: 0, successRate: null });
  });
});

it.each([
  ["metrics", door],
  ["trading-success-rate", successDoor],
  ["recent-activity", activityDoor],
])("%s is for administrators: 401 without a sign-in, 403 for a user, 400 for what it does not take", async (_, of) => {
  expect((await callDoor(of, "GET")).status).toBe(401);
  expect((await callDoor(of, "GET", { token: userToken })).status).toBe(403);
  expect((await callDoor(of, "GET", { token, query: "nonsense=1" })).status).toBe(400);
});

it("a page that no list gave is refused", async () => {
  expect((await callDoor(door, "GET", { token, query: "cursor=nonsense" })).status).toBe(400);
  expect((await callDoor(door, "GET", { token, query: "limit=101" })).status).toBe(400);
});
