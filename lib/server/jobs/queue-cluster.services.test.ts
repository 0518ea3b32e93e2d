/** Queues and limits on a real Redis Cluster of three nodes, which answers CROSSSLOT and MOVED where the keys are wrong. */
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { Command, Redis } from "ioredis";
import type { Job } from "@/lib/contracts/job.ts";
import { jobs } from "@/lib/contracts/jobs.ts";
import { canaryBeats, endSplit, giveShare } from "@/lib/proof/fixtures/split.ts";
import { ownRedisCluster } from "@/scripts/own-services.mjs";
import { forgetEnv } from "../env.ts";
import { counterOf } from "../limits/limit-counter.ts";
import { noteAnswer, noteCall, readLimitStats } from "../limits/limit-stats.ts";
import { createInProcessQueue } from "./in-process-queue.ts";
import { readJobs, retryFailedJobs, retryJob, stateOfJob } from "./kept-jobs.ts";
import { closeQueues, consume, queue, queueName, queueOf } from "./queue.ts";

const accountId = "0198c0de-0000-7000-8000-000000000001";
const cycleId = "0198c0de-0000-7000-8000-000000000002";
const SLOTS = 16_384;
const slotOf = (key: string) => new Command("exists", [key]).getSlot()!;

let cluster: Awaited<ReturnType<typeof ownRedisCluster>>;
let clients: Redis[];
const consumers: { close(force?: boolean): Promise<void> }[] = [];

beforeAll(async () => {
  cluster = await ownRedisCluster();
  clients = cluster.urls.map((url) => new Redis(url));
  for (const client of clients) client.on("error", () => undefined);
  process.env.REDIS_URL = cluster.urls.join(",");
  // The product's own, so that its queues lie where those of an installation do.
  process.env.QUEUE_PREFIX = "tradewind";
  forgetEnv();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(consumers.splice(0).map((consumer) => consumer.close(true)));
  await closeQueues();
});
afterAll(async () => {
  for (const client of clients) client.disconnect();
  await cluster.remove();
});

const nodeOf = (key: string) => Math.floor((slotOf(key) * clients.length) / SLOTS);
const nodeOfQueue = (name: string) => nodeOf(`{tradewind:${name}}`);
const keysOf = async () => (await Promise.all(clients.map((client) => client.keys("*")))).flat();

/** Consumes a kind of job; `fails` makes its next runs fail. */
function consumer(job: Job) {
  const found = { ran: [] as unknown[], fails: false };
  const worker = consume(job, (data) => {
    if (found.fails) return Promise.reject(new Error("the broker answered 500"));
    found.ran.push(data);
    return Promise.resolve();
  });
  worker.onError(() => undefined);
  consumers.push(worker);
  return found;
}

/** What ran is written down: a job whose end was lost with its consumer or its node would hold the next one of its scope back. */
const isQuiet = () =>
  expect.poll(async () => (await readJobs()).counts).toMatchObject({ pending: 0, processing: 0, failed: 0 });

/** Rings work as a worker does: what the queue does not take runs here. */
function ringer() {
  const done: string[] = [];
  const inProcess = createInProcessQueue((job) => Promise.resolve(void done.push(job.name)));
  return {
    done,
    ringOrders: () => queue(inProcess).enqueue(jobs.orderStatus, { accountId }),
    ringCycle: () => queue(inProcess).enqueue(jobs.accountCycle, { accountId, cycleId }),
  };
}

it("the keys of one queue lie in one slot, and the queues on all nodes, each kind's part for a canary too", async () => {
  const names = Object.values(jobs).flatMap((job) =>
    job.account === undefined ? [queueName(job)] : [queueName(job), queueName(job, true)],
  );
  expect(new Set(names.map(nodeOfQueue))).toEqual(new Set([0, 1, 2]));
  await Promise.all(names.map((name) => queueOf(name).add("mail", {}, { deduplication: { id: "all" }, priority: 5 })));
  const slots = new Map<string, Set<number>>();
  for (const key of await keysOf()) {
    const [, name = key] = /^\{tradewind:[^}]+\}:([^:]+):/.exec(key) ?? [];
    slots.set(name, new Set([...(slots.get(name) ?? []), slotOf(key)]));
  }
  expect([...slots.keys()].sort()).toEqual([...names].sort());
  expect([...slots.values()].filter((one) => one.size !== 1)).toEqual([]);
  await Promise.all(clients.map((client) => client.flushall()));
});

it("work of one and of many accounts is taken, runs, fails, is read by the console and runs again when it is retried", async () => {
  const { done, ringOrders, ringCycle } = ringer();
  const [orders, cycles] = [consumer(jobs.orderStatus), consumer(jobs.accountCycle)];
  await ringCycle();
  await expect.poll(() => cycles.ran).toEqual([{ accountId, cycleId }]);

  orders.fails = true;
  await ringOrders();
  await expect.poll(async () => (await readJobs()).counts).toMatchObject({ failed: 1, completed: 1 });
  const failed = (await readJobs()).latest.find(({ status }) => status === "failed")!;
  expect(failed).toMatchObject({ type: "order-status", data: { accountId }, error: "the broker answered 500" });
  expect(await stateOfJob(failed.id)).toBe("failed");
  orders.fails = false;
  expect(await retryJob(failed.id)).toBe(true);
  await expect.poll(() => orders.ran).toEqual([{ accountId }]);

  orders.fails = true;
  await ringOrders();
  await expect.poll(async () => (await readJobs()).counts.failed).toBe(1);
  orders.fails = false;
  expect(await retryFailedJobs()).toBe(1);
  await expect.poll(() => orders.ran.length).toBe(2);

  // The half of them that a canary takes goes to its queue.
  await giveShare(5_000);
  await canaryBeats();
  const ids = Array.from({ length: 40 }, (_, nth) => `0198c0de-0000-7000-8000-1000000000${String(nth + 10)}`);
  await queue().enqueue(
    jobs.orderStatus,
    ids.map((id) => ({ accountId: id })),
  );
  const forCanary = await queueOf(queueName(jobs.orderStatus, true)).getJobCounts("prioritized");
  expect(forCanary.prioritized).toBeGreaterThan(0);
  expect((await readJobs()).counts.pending).toBeGreaterThanOrEqual(forCanary.prioritized!);
  await expect.poll(() => orders.ran.length).toBe(2 + ids.length - forCanary.prioritized!);
  expect(done).toEqual([]);
  await endSplit();
  await isQuiet();
});

const take = (bucket: string, points = 1_000) => counterOf("cluster").take(bucket, points, 900_000);
const keyOfBucket = (bucket: string) => `tradewind:limit:cluster:${bucket}`;
/** A bucket on each node. */
const bucketOn = (node: number, label: string) => {
  for (let nth = 0; ; nth += 1) if (nodeOf(keyOfBucket(`${label}-${nth}`)) === node) return `${label}-${nth}`;
};
const isCounted = (node: number, bucket: string) => clients[node]!.exists(keyOfBucket(bucket));
/** The first call to a node is counted while its connection stands, those beside it in memory. */
const connect = (node: number) =>
  expect
    .poll(async () => {
      const bucket = bucketOn(node, "warm-up");
      await take(bucket);
      return isCounted(node, bucket);
    })
    .toBe(1);

it("limits are counted on all nodes, to the call, and so is what happened under them", async () => {
  for (const [node] of clients.entries()) {
    await connect(node);
    const bucket = bucketOn(node, "exact");
    const taken = await Promise.all(Array.from({ length: 60 }, () => take(bucket, 7)));
    expect(taken.filter(({ isFull }) => !isFull)).toHaveLength(7);
    for (const one of taken) if (!one.isFull) await one.giveBack();
    expect(await isCounted(node, bucket)).toBe(0);
  }
  const names = ["export", "admin", "api", "auth-failed"] as const;
  expect(new Set(names.map((name) => nodeOf(`tradewind:limit-stats:${name}`))).size).toBeGreaterThan(1);
  for (const name of names) {
    noteCall(name, false);
    noteAnswer(name, 20);
  }
  const stored = (name: string) => {
    const key = `tradewind:limit-stats:${name}`;
    return clients[nodeOf(key)]!.hmget(key, "total", "durationMs");
  };
  await expect
    .poll(async () => {
      await readLimitStats([...names]);
      return Promise.all(names.map(stored));
    })
    .toEqual(names.map(() => ["1", "20"]));
  for (const name of names)
    expect((await readLimitStats([name])).get(name)).toMatchObject({ total: 1, answered: 1, durationMs: 20 });
});

it("a killed node: its queues' work runs where it was rung and its limits hold there, the others continue; restarted, it takes both", async () => {
  const [dead, alive] = [nodeOfQueue("order-status"), nodeOfQueue("account-cycle")];
  expect(alive).not.toBe(dead);
  const [orders, cycles] = [consumer(jobs.orderStatus), consumer(jobs.accountCycle)];
  const { done, ringOrders, ringCycle } = ringer();
  await ringOrders();
  await ringCycle();
  await expect.poll(() => [orders.ran.length, cycles.ran.length]).toEqual([1, 1]);
  await isQuiet();
  await connect(dead);
  await connect(alive);

  const { proc } = cluster.nodes[dead]!.running();
  proc.kill();
  await proc.done;
  await ringOrders();
  expect(done).toEqual(["order-status"]);
  await ringCycle();
  await expect.poll(() => cycles.ran.length).toBe(2);
  expect(done).toEqual(["order-status"]);
  const bucket = bucketOn(dead, "unreachable");
  const taken = [];
  for (let call = 0; call < 5; call += 1) taken.push((await take(bucket, 3)).isFull);
  expect(taken).toEqual([false, false, false, true, true]);
  const other = bucketOn(alive, "unreachable");
  await take(other, 3);
  expect(await isCounted(alive, other)).toBe(1);

  await cluster.nodes[dead]!.start();
  await connect(dead);
  // The five seconds are over in which it is not asked.
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + 5_000);
  await expect
    .poll(
      async () => {
        await ringOrders();
        return orders.ran.length;
      },
      { timeout: 20_000 },
    )
    .toBeGreaterThan(1);
  await isQuiet();
});

it("a cluster that is unavailable at the start: work runs where it is rung and limits hold there; once it is up, it takes both", async () => {
  const kill = async ({ running }: (typeof cluster.nodes)[number]) => {
    running().proc.kill();
    await running().proc.done;
  };
  await Promise.all(cluster.nodes.map(kill));
  const cycles = consumer(jobs.accountCycle);
  const { done, ringCycle } = ringer();
  await ringCycle();
  expect(done).toEqual(["account-cycle"]);
  const bucket = bucketOn(0, "none");
  const taken = [];
  for (let call = 0; call < 4; call += 1) taken.push((await take(bucket, 3)).isFull);
  expect(taken).toEqual([false, false, false, true]);
  noteCall("export", true);
  expect((await readLimitStats(["export"])).get("export")).toMatchObject({ blocked: 1 });

  await Promise.all(cluster.nodes.map((node) => node.start()));
  await expect
    .poll(
      async () => {
        await ringCycle();
        return cycles.ran.length;
      },
      { timeout: 20_000 },
    )
    .toBeGreaterThan(0);
  await connect(0);
});
