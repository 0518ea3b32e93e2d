/** Named faults of the worker's process, met by the real program: docs/faults.md. */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Exchange } from "@/lib/exchange/start.ts";
import { db } from "@/lib/server/db.ts";
import { programArgs } from "@/lib/proof/bundled.ts";
import { openTrader, ROOMY, startMarketDay } from "@/lib/proof/fixtures/cycles.ts";
import { syncOrders } from "@/lib/server/services/accounts/sync-orders.ts";
import { recoverAccount } from "@/lib/server/services/sync/recover-account.ts";
import { systemContext } from "@/lib/server/system-context.ts";

const folder = mkdtempSync(path.join(tmpdir(), "tradewind-worker-"));
const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill("SIGKILL");
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What goes wrong inside the process when it gets SIGUSR2. */
const TROUBLE = {
  "an unawaited promise rejects": 'void Promise.reject(new Error("not awaited"));',
  "a text is thrown and not caught": 'setTimeout(() => { throw "words, no error"; });',
  "it stood still for a minute":
    "const now = performance.now.bind(performance); performance.now = () => now() + 61_000;",
  "its machine slept for a minute": "const up = os.uptime; os.uptime = () => up() + 61;",
};

/** The worker as it is started in production, with one kind of trouble that waits for its signal. */
async function startWorker(
  settings: Record<string, string> = {},
  trouble = "",
): Promise<{ child: ChildProcess; said: () => string; ended: Promise<number | string | null> }> {
  const preload = path.join(folder, `trouble-${running.length}.mjs`);
  writeFileSync(preload, `import os from "node:os"; process.on("SIGUSR2", () => { ${trouble} });`);
  const program = await programArgs("workers/main.ts");
  const child = spawn(process.execPath, ["--import", preload, ...program], {
    env: { ...process.env, LOG_LEVEL: "info", ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | string | null>((resolve) =>
    child.on("close", (code, signal) => resolve(code ?? signal)),
  );
  return { child, said: () => output, ended };
}

const ready = (said: () => string) => expect.poll(said, { timeout: 100_000, interval: 50 }).toContain("worker.started");

describe("the worker's process", { timeout: 240_000 }, () => {
  it.each([
    ["an unawaited promise rejects", "not awaited"],
    ["a text is thrown and not caught", "words, no error"],
  ] as const)("ends when %s, says why, and is not half alive (W13)", async (name, message) => {
    const { child, said, ended } = await startWorker({}, TROUBLE[name]);
    await ready(said);
    child.kill("SIGUSR2");
    expect(await ended).toBe(1);
    expect(said()).toContain("worker.crashed");
    expect(said()).toContain(message);
  });

  it.each(["it stood still for a minute", "its machine slept for a minute"] as const)(
    "ends when %s: what it held may be another's by now (W15)",
    async (trouble) => {
      const { child, said, ended } = await startWorker({}, TROUBLE[trouble]);
      await ready(said);
      child.kill("SIGUSR2");
      expect(await ended).toBe(1);
      expect(said()).toMatch(/stood still for 6\d s/);
    },
  );

  it("does not start with an empty secret, and names the setting (H10)", async () => {
    const { said, ended } = await startWorker({ NEXTAUTH_SECRET: "", AUDIT_KEY: "short-audit-key" });
    expect(await ended).toBe(1);
    expect(said()).toMatch(/The environment is not complete:/);
    expect(said()).toMatch(/NEXTAUTH_SECRET/);
    expect(said()).toMatch(/AUDIT_KEY/);
    expect(said()).not.toContain("short-audit-key");
  });
});

describe("a deploy", { timeout: 240_000 }, () => {
  let exchange: Exchange;
  beforeAll(async () => {
    exchange = await startMarketDay();
  }, 120_000);
  afterAll(() => exchange.close());

  it("that stops the worker while an order is out: it ends in time, and no order is doubled or lost (W8)", async () => {
    const context = systemContext("test");
    const { accountId } = await openTrader(context, ROOMY);
    await syncOrders(context, { accountId });
    exchange.control.addFault({ kind: "hang_after_accept", method: "POST", path: "/v2/orders", ms: 3_000 });
    const posts = () => exchange.control.arrivals({ method: "POST", path: "/v2/orders" }).arrivals;

    const { child, said, ended } = await startWorker({ EXCHANGE_URL: exchange.url });
    await ready(said);
    await expect.poll(() => db().schedule.count({ where: { job: "screening" } }), { timeout: 10_000 }).toBe(1);
    await exchange.control.clock({ advanceMinutes: 10 });
    await expect.poll(() => posts().length, { timeout: 40_000, interval: 20 }).toBeGreaterThan(0);
    const stoppedAt = performance.now();
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    expect(performance.now() - stoppedAt).toBeLessThan(25_000);

    await recoverAccount(context, accountId, { settleWindowMs: 500, untilSettled: true });
    const intents = await db().intent.findMany({ where: { accountId }, include: { orders: true } });
    const sent = posts().map(({ client_order_id }) => client_order_id);
    expect(new Set(sent).size).toBe(sent.length);
    const known = intents.filter(({ orders }) => orders.length > 0).map(({ clientOrderId }) => clientOrderId);
    expect([...known].sort()).toEqual([...sent].sort());
    expect(intents.filter(({ status }) => ["SUBMITTING", "UNKNOWN", "PARKED"].includes(status))).toEqual([]);
  });
});
