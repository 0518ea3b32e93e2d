/** A canary worker beside an ordinary one, as programs: what each decides, and what becomes of a canary's accounts when it is killed or taken back. */
import { spawn, type ChildProcess } from "node:child_process";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { sidesOf } from "@/lib/domain/canary.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { programArgs } from "@/lib/proof/bundled.ts";
import { openTrader, ROOMY, startMarketDay } from "@/lib/proof/fixtures/cycles.ts";
import { endSplit, giveShare } from "@/lib/proof/fixtures/split.ts";
import { db } from "@/lib/server/db.ts";
import { readSplit } from "@/lib/server/jobs/canary.ts";
import { readBeat } from "@/lib/server/services/schedule/worker-lease.ts";
import { syncOrders } from "@/lib/server/services/accounts/sync-orders.ts";
import { systemContext } from "@/lib/server/system-context.ts";

const HALF = 5_000;
const PATIENCE = { timeout: 60_000, interval: 50 };
const running: ChildProcess[] = [];
let exchange: Exchange;
beforeAll(async () => {
  exchange = await startMarketDay();
}, 120_000);
afterEach(async () => {
  for (const child of running.splice(0)) child.kill("SIGKILL");
  await endSplit();
});
afterAll(() => exchange.close());

interface Line {
  event?: string;
  count?: number;
  waiting?: number;
}

async function startWorker(settings: Record<string, string> = {}) {
  const child = spawn(process.execPath, await programArgs("workers/main.ts"), {
    env: { ...process.env, LOG_LEVEL: "info", EXCHANGE_URL: exchange.url, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | string | null>((resolve) =>
    child.on("close", (code, signal) => resolve(code ?? signal)),
  );
  await expect.poll(() => output, PATIENCE).toContain("worker.started");
  /** Accounts of the pages that it ran: decided for there, or in turns of their own where a broker was slow to answer. */
  const decided = () =>
    output
      .split("\n")
      .filter((line) => line.includes("account-page.completed"))
      .map((line) => JSON.parse(line) as Line)
      .reduce((total, { count = 0, waiting = 0 }) => total + count + waiting, 0);
  return { child, ended, decided, said: () => output };
}

/** Accounts that have nothing to send, two or more on each side; no other takes part. */
async function quietAccounts(): Promise<{ inside: number; others: number }> {
  const context = systemContext("test");
  await db().account.updateMany({ data: { status: "INACTIVE" } });
  for (;;) {
    const rows = await db().account.findMany({ where: { status: "ACTIVE" }, select: { id: true } });
    const [inside, others] = sidesOf(rows, HALF).map(({ length }) => length) as [number, number];
    if (inside >= 2 && others >= 2) return { inside, others };
    const { accountId, user } = await openTrader(context, ROOMY);
    await syncOrders(context, { accountId });
    await db().user.update({ where: { id: user.id }, data: { automationPausedAt: new Date(), pausedReason: "test" } });
  }
}

const decisions = () => db().decisionRecord.count({ where: { account: { status: "ACTIVE" } } });
/** Minutes pass, and every account is decided for again. */
async function pass(accounts: number): Promise<void> {
  const before = await decisions();
  await exchange.control.clock({ advanceMinutes: 10 });
  await expect.poll(decisions, PATIENCE).toBe(before + accounts);
}

it("a canary decides for its share alone; killed, or its share taken back, its accounts are the ordinary worker's again", async () => {
  const { inside, others } = await quietAccounts();
  const all = inside + others;
  await giveShare(HALF);
  const canary = await startWorker({ CANARY: "1" });
  await expect.poll(async () => (await readSplit(db())).isAlive, PATIENCE).toBe(true);
  // Alone it wakes nothing, and to the watchdog no worker runs.
  expect(await db().schedule.count()).toBe(0);
  expect(await readBeat({ db: db() })).toBeNull();
  const ordinary = await startWorker();
  await expect.poll(() => db().schedule.count({ where: { job: "screening" } }), PATIENCE).toBe(1);
  await pass(all);
  await expect.poll(() => [canary.decided(), ordinary.decided()], PATIENCE).toEqual([inside, others]);
  const jobsOf = ({ said }: typeof canary) => /"jobs":(\[[^\]]*\])/.exec(said())?.[1];
  expect(JSON.parse(jobsOf(canary) ?? "")).toEqual([
    "order-status",
    "order-status-page",
    "account-page",
    "account-cycle",
    "rotation-account",
    "invariants",
    "invariants-page",
  ]);

  // Its row stays behind: it is gone by its silence.
  canary.child.kill("SIGKILL");
  await canary.ended;
  await expect.poll(async () => (await readSplit(db())).isAlive, PATIENCE).toBe(false);
  await pass(all);
  await expect.poll(() => ordinary.decided(), PATIENCE).toBe(others + all);

  const again = await startWorker({ CANARY: "1" });
  await expect.poll(async () => (await readSplit(db())).isAlive, PATIENCE).toBe(true);
  await pass(all);
  await giveShare(0);
  expect(await again.ended).toBe(0);
  // It took its row along: nothing waits for its silence.
  expect((await readSplit(db())).isAlive).toBe(false);
  await pass(all);
  const sum = () => [canary, ordinary, again].reduce((total, worker) => total + worker.decided(), 0);
  await expect.poll(sum, PATIENCE).toBe(4 * all);
}, 240_000);
