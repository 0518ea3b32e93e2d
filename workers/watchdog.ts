/**
 * The watchdog: a process of its own that watches the worker's beat. While no worker beats it has open entry
 * orders cancelled, holds every position against its stops at the broker, places stops for shares that have none, and
 * tells people. It sends no other order.
 */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { env } from "@/lib/server/env.ts";
import { startTracing } from "@/lib/server/export-traces.ts";
import { speakInLines } from "@/lib/server/json-lines.mjs";
import { newWatch, watchWorker } from "@/lib/server/services/automation/watch-worker.ts";
import { closeSystem } from "@/lib/server/services/queue/close-system.ts";
import { startPulse } from "@/lib/server/services/system/process-pulse.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { stopTracing } from "@/lib/server/tracing.ts";

// The launcher may be gone before us.
process.stdout.on("error", () => undefined);
process.stderr.on("error", () => undefined);

speakInLines("watchdog");
const context = systemContext("watchdog");
const watch = newWatch(`${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`, context.now());
const pulse = startPulse("watchdog", watch.owner, context.now());
/** Several looks within the lease, so that one that fails does not decide. */
const everyMs = Math.min(5_000, (env().WORKER_SILENCE_SECONDS * 1000) / 6);

const stopping = new AbortController();
for (const signal of ["SIGTERM", "SIGINT"] as const)
  process.on(signal, () => {
    context.log.info("watchdog.stop-requested", { signal });
    stopping.abort();
  });

await startTracing("watchdog");
context.log.info("watchdog.started", { owner: watch.owner, limit: env().WORKER_SILENCE_SECONDS });
// The launcher waits for it; under any other parent there is no channel.
process.send?.("ready");
let was: string | null = null;
while (!stopping.signal.aborted) {
  try {
    const is = await watchWorker(context, watch, () => pulse.beat(context));
    if (is !== was) context.log.info("watchdog.state-changed", { owner: watch.owner, state: is });
    was = is;
    await pulse.beat(context);
  } catch (error) {
    context.log.error("watchdog.check-failed", { err: error });
  }
  await delay(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
}
// A row that stays is listed as silent and deleted a day later.
await pulse.end(context).catch(() => undefined);
await closeSystem(context);
await stopTracing();
context.log.info("watchdog.stopped", {});
process.exit(0);
