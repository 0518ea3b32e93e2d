import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it } from "vitest";
import { db } from "../../db.ts";
import { forgetEnv } from "../../env.ts";
import { metrics } from "../../metrics.ts";
import { systemContext } from "../../system-context.ts";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import { hasMarket } from "../../providers/market-data-registry.ts";
import { refreshGauges } from "./refresh-gauges.ts";
import { sampleSystem } from "./sample-system.ts";

const context = systemContext("test");
let [accountId, late] = ["", new Date()];

const broken = () => ({
  checkedAt: new Date(),
  durationMs: 1,
  isWhole: false,
  breaches: [{ invariant: "I1", subject: "AAPL", detail: "a test" }],
  brokenSince: new Date(),
});

/** What a gauge says of all its labels together. */
async function read(name: string): Promise<number> {
  await refreshGauges(context);
  const { values } = (await metrics().registry.getSingleMetric(name)!.get()) as { values: { value: number }[] };
  return values.reduce((sum, { value }) => sum + value, 0);
}
const change = (data: object) => db().account.update({ where: { id: accountId }, data });

beforeEach(async () => {
  accountId = (await makeAccount(db(), (await makeUser(db())).id)).id;
  late = new Date(Date.now() - 120_000);
  await db().schedule.deleteMany();
});
afterEach(() => {
  delete process.env.ALPACA_DATA_KEY_ID;
  delete process.env.ALPACA_DATA_SECRET;
  forgetEnv();
});

const leg = () => ({
  accountId,
  clientOrderId: `tw-${randomUUID()}`,
  symbol: "AAPL",
  side: "BUY" as const,
  timeInForce: "day" as const,
  qty: "10",
});

async function parkIntent(): Promise<void> {
  const [intentId, at] = [randomUUID(), new Date()];
  const verdict = { id: randomUUID(), intentId, phase: "T2" as const, passed: true, results: [], inputs: {} };
  await db().$transaction([
    db().intent.create({
      data: {
        ...leg(),
        id: intentId,
        planId: randomUUID(),
        leg: 0,
        purpose: "ENTRY",
        reason: "entry_momentum",
        type: "MARKET",
        decisionPrice: "100",
        decidedAt: at,
        status: "PARKED",
        gateVerdictId: verdict.id,
        submitEpoch: 0,
        submittedAt: at,
      },
    }),
    db().gateVerdict.create({ data: { ...verdict, policyVersion: "1", at } }),
  ]);
}

async function openOrder(): Promise<void> {
  const at = new Date();
  await db().order.create({
    data: {
      ...leg(),
      brokerOrderId: randomUUID(),
      origin: "EXTERNAL",
      role: "EXTERNAL",
      orderClass: "SIMPLE",
      type: "MARKET",
      status: "NEW",
      brokerStatus: "new",
      submittedAt: at,
      tradedAt: at,
      brokerUpdatedAt: at,
    },
  });
}

it.each<[gauge: string, make: () => Promise<unknown>]>([
  ["tradewind_accounts_halted", () => change({ haltedAt: new Date(), haltReason: "a test" })],
  [
    "tradewind_invariants_broken",
    () => db().invariantCheck.create({ data: { scope: accountId, accountId, ...broken() } }),
  ],
  ["tradewind_intents_unresolved", parkIntent],
  ["tradewind_stops_owed", () => db().owedStop.create({ data: { accountId, symbol: "AAPL", qty: "1", reason: "x" } })],
  ["tradewind_orders", openOrder],
  [
    "tradewind_schedules_overdue",
    () =>
      db().schedule.create({
        data: { key: `invariants:${accountId}`, job: "invariants", accountId, dueAt: late, everyMs: 60_000 },
      }),
  ],
])("%s counts an account's row, and no longer when the account is deleted", async (gauge, make) => {
  const before = await read(gauge);
  await make();
  expect(await read(gauge)).toBe(before + 1);
  await change({ deletedAt: new Date(), sealedKeys: null, status: "INACTIVE" });
  expect(await read(gauge)).toBe(before);
});

it("the system's own breach counts", async () => {
  const before = await read("tradewind_invariants_broken");
  await db().invariantCheck.create({ data: { scope: "system", ...broken() } });
  expect(await read("tradewind_invariants_broken")).toBe(before + 1);
});

it("a deleted account that keeps its keys is followed: its orders and a late look at them count", async () => {
  const before = await read("tradewind_orders");
  await openOrder();
  await change({ deletedAt: new Date(), status: "INACTIVE" });
  const row = { accountId, dueAt: late, everyMs: 5_000 };
  await db().schedule.createMany({
    data: ["order-status", "invariants"].map((job) => ({ ...row, key: `${job}:${accountId}`, job })),
  });
  expect(await read("tradewind_orders")).toBe(before + 1);
  expect(await read("tradewind_schedules_overdue")).toBe(1);
});

it("late cycles of the US market count where it is screened, the practice market's never, for the metric and the System page alike", async () => {
  await db().schedule.createMany({
    data: (["US", "PRACTICE"] as const).map((market) => ({
      ...{ key: `screening:${market}`, job: "screening", market, dueAt: late, everyMs: 300_000 },
    })),
  });
  const marketData = () => ({ clock: () => Promise.reject(new Error("unavailable")) }) as never;
  const sampled = async () => {
    await db().systemSample.deleteMany();
    await sampleSystem({ ...context, marketData }, () => Promise.resolve(null));
    return (await db().systemSample.findFirstOrThrow()).overdueSchedules;
  };
  expect([await read("tradewind_schedules_overdue"), await sampled()]).toEqual([0, 0]);
  Object.assign(process.env, { ALPACA_DATA_KEY_ID: "k", ALPACA_DATA_SECRET: "s" });
  forgetEnv();
  expect([await read("tradewind_schedules_overdue"), await sampled()]).toEqual([1, 1]);
});

it("a queue that is backed up counts as late: work of accounts that was queued in time and does not end; work that takes long does not", async () => {
  const ago = (ms: number) => new Date(Date.now() - ms);
  const dueAt = new Date(Date.now() + 5_000);
  const short = { job: "order-status", key: `order-status:${accountId}`, accountId, dueAt, everyMs: 5_000 };
  const long = { job: "purge", key: "purge:all", dueAt, everyMs: 86_400_000 };
  await db().schedule.create({ data: { ...long, lastStartedAt: ago(3_600_000), lastFinishedAt: ago(90_000_000) } });
  await db().schedule.create({ data: { ...short, lastStartedAt: ago(1_000), lastFinishedAt: ago(50_000) } });
  expect(await read("tradewind_schedules_overdue")).toBe(0);
  const { key } = short;
  await db().schedule.update({ where: { key }, data: { lastFinishedAt: ago(70_000) } });
  expect(await read("tradewind_schedules_overdue")).toBe(1);
  // Never finished: late once the account is older than that.
  await db().schedule.update({ where: { key }, data: { lastFinishedAt: null } });
  expect(await read("tradewind_schedules_overdue")).toBe(0);
  await change({ createdAt: ago(70_000) });
  expect(await read("tradewind_schedules_overdue")).toBe(1);
  // Its last run ended: it waits for its next time.
  await db().schedule.update({ where: { key }, data: { lastStartedAt: ago(80_000), lastFinishedAt: ago(70_000) } });
  expect(await read("tradewind_schedules_overdue")).toBe(0);
});

it("work whose last run failed counts until a run succeeds, however seldom it runs; rows that no worker takes do not", async () => {
  const row = { dueAt: new Date(), lastStatus: "failed" as const };
  await db().schedule.createMany({
    data: [
      { ...row, key: "purge:all", job: "purge" },
      { ...row, key: "nightly:PRACTICE", job: "nightly", market: "PRACTICE" },
      { ...row, key: "nightly:US", job: "nightly", market: "US" },
      { ...row, key: "former:all", job: "former" },
      { ...row, key: `invariants:${accountId}`, job: "invariants", accountId },
    ],
  });
  const failed = async () => {
    await refreshGauges(context);
    const { values } = await metrics().registry.getSingleMetric("tradewind_schedules_failed")!.get();
    return values.map(({ labels, value }) => `${labels.work} ${value}`).sort();
  };
  const practice = hasMarket("PRACTICE") ? ["nightly 1"] : [];
  expect(await failed()).toEqual([...practice, "purge 1"]);
  await db().schedule.updateMany({ where: { job: { not: "nightly" } }, data: { lastStatus: "done" } });
  expect(await failed()).toEqual(practice);
});

it("mails that a mail server does not take count between the tries, too; mails that are held for quiet hours do not", async () => {
  const before = await read("tradewind_mails_waiting");
  const later = new Date(Date.now() + 600_000);
  const mail = { recipient: "x@example.com", template: "x", props: {}, dueAt: later };
  await db().outbox.create({ data: { ...mail, dedupeKey: randomUUID() } });
  expect(await read("tradewind_mails_waiting")).toBe(before);
  const tried = { attempts: 1, lastError: "connect ECONNREFUSED" };
  await db().outbox.create({ data: { ...mail, ...tried, dedupeKey: randomUUID() } });
  expect(await read("tradewind_mails_waiting")).toBe(before + 1);
});

it("while a gauge is read anew another scrape finds its last value", async () => {
  await refreshGauges(context);
  let ask = () => {};
  const asked = new Promise<void>((resolve) => (ask = resolve));
  let giveAnswer = (_: { seq: bigint }) => {};
  const answer = new Promise<{ seq: bigint }>((resolve) => (giveAnswer = resolve));
  const findUnique = () => (ask(), answer);
  const slow = new Proxy(context.db, {
    get: (whole, name): unknown => (name === "auditHead" ? { findUnique } : Reflect.get(whole, name)),
  });
  const second = refreshGauges({ ...context, db: slow });
  await asked;
  expect(await metrics().registry.getSingleMetricAsString("tradewind_audit_seq")).toMatch(/^tradewind_audit_seq \d+$/m);
  giveAnswer({ seq: 7_000n });
  await second;
  expect(await metrics().registry.getSingleMetricAsString("tradewind_audit_seq")).toContain("tradewind_audit_seq 7000");
});

it("no metric has a label that Prometheus sets for what it scrapes", async () => {
  metrics().jobs.observe({ work: "x", outcome: "done" }, 1);
  await refreshGauges(context);
  const labels = (await metrics().registry.getMetricsAsJSON()).flatMap(({ values }) =>
    (values as { labels: object }[]).flatMap((value) => Object.keys(value.labels)),
  );
  expect(labels).toContain("work");
  expect(labels.filter((label) => label === "job" || label === "instance")).toEqual([]);
});
