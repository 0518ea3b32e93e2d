import { beforeAll, expect, it } from "vitest";
import { db } from "@/lib/server/db.ts";
import { env, forgetEnv } from "@/lib/server/env.ts";
import { testContext } from "@/lib/proof/fixtures/orders.ts";
import { runDueSchedules } from "@/lib/proof/fixtures/run-schedules.ts";
import { storeStreamStates } from "@/lib/server/services/sync/store-stream-states.ts";
import { describeThisProcess, startPulse } from "@/lib/server/services/system/process-pulse.ts";
import { sampleSystem } from "@/lib/server/services/system/sample-system.ts";
import { makeAccount, makeSignIn, makeUser } from "@/prisma/factories.ts";
import { callDoor } from "@/lib/proof/call-door.ts";
import * as door from "./route.ts";

let [token, userToken] = ["", ""];
let ids: string[] = [];

interface System {
  processes: { owner: string; kind: string; build: string; orderProtocol: number; ageMs: number; lagMs: number }[];
  leases: { name: string }[];
  schedules: { key: string; dueAt: string; lastStatus: string | null }[];
  accountSchedules: { job: string; accounts: number; overdue: number; failed: number; lastError: string | null }[];
  queueDepth: { at: string; pending: number | null }[];
  newestQueueDepth: { at: string; pending: number | null } | null;
  streams: {
    total: number;
    connected: number;
    worst: { accountId: string; isConnected: boolean; state: string | null }[];
  };
  clock: { skewMs: number | null; note: string };
  database: { sizeBytes: number; connections: number; maxConnections: number };
}
const read = async (query = "") => {
  const { status, json, text } = await callDoor(door, "GET", { token, query });
  expect(status, text).toBe(200);
  return json?.data as unknown as System;
};

beforeAll(async () => {
  token = await makeSignIn(db(), await makeUser(db(), { role: "ADMIN" }));
  const user = await makeUser(db());
  userToken = await makeSignIn(db(), user);
  ids = [];
  for (let n = 0; n < 3; n += 1) ids.push((await makeAccount(db(), user.id)).id);
});

it("lists what runs: this web process, and every worker and watchdog with its last beat, until it is stopped", async () => {
  const startedAt = new Date();
  const [one, two, watchdog] = [
    startPulse("worker", "host:1", startedAt),
    startPulse("worker", "host:2", startedAt),
    startPulse("watchdog", "host:3", startedAt),
  ];
  await one.beat({ db: db(), now: () => new Date(Date.now() - 90_000) });
  await two.beat({ db: db(), now: () => new Date() });
  await watchdog.beat({ db: db(), now: () => new Date() });
  const { processes } = await read();
  const build = env().INSTANCE_ID;
  expect(processes).toMatchObject([
    { kind: "web", owner: describeThisProcess(new Date()).owner, build, ageMs: 0 },
    { kind: "worker", owner: "host:2", build },
    { kind: "worker", owner: "host:1", build },
    { kind: "watchdog", owner: "host:3", build },
  ]);
  expect(processes[2]!.ageMs).toBeGreaterThanOrEqual(90_000);
  expect(processes[1]!.ageMs).toBeLessThan(60_000);
  await one.end({ db: db() });
  expect((await read()).processes.map(({ owner }) => owner)).not.toContain("host:1");
});

it("a watchdog and a canary are listed beside however many workers, dead ones of a day among them", async () => {
  const [live, dead] = [new Date(), new Date(Date.now() - 3_600_000)];
  const beat = (kind: string, nth: number, beatAt: Date) => ({
    ...{ owner: `${kind}:${nth}`, kind, build: "b", orderProtocol: 1, startedAt: dead, beatAt, lagMs: 0 },
  });
  await db().processBeat.deleteMany();
  await db().processBeat.createMany({
    data: [
      ...Array.from({ length: 60 }, (_, nth) => beat("worker", nth, nth === 59 ? live : dead)),
      ...["canary", "watchdog"].map((kind) => beat(kind, 0, live)),
    ],
  });
  const alive = (await read()).processes.filter(({ ageMs }) => ageMs < 60_000);
  expect(alive.map(({ kind, owner }) => (kind === "web" ? kind : owner)).sort()).toEqual([
    "canary:0",
    "watchdog:0",
    "web",
    "worker:59",
  ]);
  await db().processBeat.deleteMany();
});

it("lists jobs of the system one by one and jobs of accounts together", async () => {
  const due = new Date(Date.now() - 120_000);
  await db().schedule.createMany({
    data: [
      { key: "mail:all", job: "mail", dueAt: due, lastStatus: "done" },
      { key: "screening:US", job: "screening", market: "US", dueAt: due },
      ...ids.map((accountId, n) => ({
        key: `order-status:${accountId}`,
        job: "order-status",
        accountId,
        dueAt: n === 0 ? due : new Date(Date.now() + 60_000),
        lastStatus: n === 1 ? ("failed" as const) : ("done" as const),
        lastError: n === 1 ? "The broker cannot be reached." : null,
      })),
    ],
  });
  const { schedules, accountSchedules } = await read();
  expect(schedules.map(({ key }) => key)).toEqual(["mail:all", "screening:US"]);
  expect(accountSchedules).toMatchObject([
    { job: "order-status", accounts: 3, overdue: 1, failed: 1, lastError: "The broker cannot be reached." },
  ]);
});

it("a minute has one sample, whichever process writes it, also while the queue is unavailable; the page shows ten minutes as their deepest", async () => {
  const at = (text: string) => testContext({ now: () => new Date(text) });
  const base = new Date(Math.floor(Date.now() / 600_000) * 600_000 - 3_600_000);
  const minute = (n: number) => new Date(base.getTime() + n * 60_000).toISOString();
  const depth = (pending: number) => () => Promise.resolve({ pending, processing: 0, failed: 0 });
  await Promise.all(Array.from({ length: 5 }, () => sampleSystem(at(minute(0)), depth(3))));
  await sampleSystem(at(minute(1)), depth(9));
  await sampleSystem(at(minute(1)), depth(100));
  await sampleSystem(at(minute(11)), () => Promise.resolve(null));
  expect(await db().systemSample.count()).toBe(3);
  expect(await read()).toMatchObject({
    queueDepth: [
      { at: minute(0), pending: 9 },
      { at: minute(10), pending: null },
    ],
    newestQueueDepth: { at: minute(11), pending: null },
  });
  await sampleSystem(at(minute(12)), depth(500));
  await sampleSystem(at(minute(13)), depth(2));
  expect(await read()).toMatchObject({
    queueDepth: [expect.anything(), { at: minute(10), pending: 500 }],
    newestQueueDepth: { at: minute(13), pending: 2 },
  });
});

it("the broker's clock is measured where there is a US market, and elsewhere it is said why not", async () => {
  expect((await read()).clock).toMatchObject({
    skewMs: null,
    note: expect.stringContaining("practice market") as string,
  });
  Object.assign(process.env, { ALPACA_DATA_KEY_ID: "k", ALPACA_DATA_SECRET: "s" });
  forgetEnv();
  try {
    expect((await read()).clock.note).toContain("could not be read");
    const now = new Date();
    const clock = { now: new Date(now.getTime() + 2_500).toISOString(), isOpen: true, nextOpen: "", nextClose: "" };
    const marketData = () => ({ clock: () => Promise.resolve(clock) }) as never;
    await db().systemSample.deleteMany();
    await sampleSystem(testContext({ now: () => now, marketData }), () => Promise.resolve(null));
    expect((await read()).clock.skewMs).toBe(2_500);
  } finally {
    delete process.env.ALPACA_DATA_KEY_ID;
    delete process.env.ALPACA_DATA_SECRET;
    forgetEnv();
  }
});

it("streams come worst first, and none is connected without a follower", async () => {
  const since = new Date();
  await storeStreamStates(
    db(),
    new Map([
      [ids[0]!, { state: "listening", since }],
      [ids[1]!, { state: "connecting", since }],
      ["00000000-0000-7000-8000-000000000000", { state: "listening", since }],
    ]),
  );
  await storeStreamStates(db(), new Map([[ids[1]!, { state: "disconnected", since }]]));
  await db().lease.create({ data: { name: "follower", owner: "w", beatAt: new Date() } });
  const followed = (await read()).streams;
  expect(followed).toMatchObject({ total: 3, connected: 1 });
  expect(followed.worst.at(-1)).toMatchObject({ accountId: ids[0], isConnected: true });
  expect(followed.worst.map(({ state }) => state).sort()).toEqual(["disconnected", "listening", null]);
  expect((await read("limit=1")).streams.worst).toHaveLength(1);
  await db().lease.update({ where: { name: "follower" }, data: { beatAt: new Date(Date.now() - 60_000) } });
  const silent = (await read()).streams;
  expect(silent).toMatchObject({ total: 3, connected: 0 });
  expect(silent.worst.some(({ isConnected }) => isConnected)).toBe(false);
});

it("tells the size of the database and how many connections are taken", async () => {
  const { database } = await read();
  expect(database.sizeBytes).toBeGreaterThan(1_000_000);
  expect(database.connections).toBeGreaterThan(0);
  expect(database.maxConnections).toBeGreaterThan(database.connections);
});

it("the daily check of the providers stands in the schedule for 13:30 UTC and is rung once", async () => {
  const rung: string[] = [];
  const queue = { enqueue: (job: { name: string }) => Promise.resolve(void rung.push(job.name)) };
  const at = (text: string) => testContext({ now: () => new Date(text), queue });
  const row = () => db().schedule.findUniqueOrThrow({ where: { key: "provider-check:all" } });
  await db().schedule.deleteMany({ where: { accountId: null } });
  await runDueSchedules(at("2026-11-22T10:00:00Z"));
  expect((await row()).dueAt.toISOString()).toBe("2026-11-22T13:30:00.000Z");
  await runDueSchedules(at("2026-11-22T13:29:59Z"));
  expect(rung.filter((name) => name === "provider-check")).toEqual([]);
  await Promise.all(Array.from({ length: 4 }, () => runDueSchedules(at("2026-11-22T13:30:01Z"))));
  expect(rung.filter((name) => name === "provider-check")).toEqual(["provider-check"]);
  expect((await row()).dueAt.toISOString()).toBe("2026-11-23T13:30:00.000Z");
});

it("is for administrators: 401 without a sign-in, 403 for a user, 400 for what it does not take", async () => {
  expect((await callDoor(door, "GET")).status).toBe(401);
  expect((await callDoor(door, "GET", { token: userToken })).status).toBe(403);
  expect((await callDoor(door, "GET", { token, query: "limit=0" })).status).toBe(400);
});
