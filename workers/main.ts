/**
 * The worker: wakes what is due, screens, decides, submits, follows orders, sends mail. Start-up and
 * recovery are one path: nothing new is decided for an account before its orders are settled.
 */
import { randomUUID } from "node:crypto";
import os from "node:os";
import type { Context } from "@/lib/server/context.ts";
import type { Subscription } from "@/lib/server/broker/broker.ts";
import { env } from "@/lib/server/env.ts";
import { CANARY_BEAT_MS, currentSplit } from "@/lib/server/jobs/canary.ts";
import type { Delivery, JobDoor } from "@/lib/server/jobs/define-job.ts";
import { speakInLines } from "@/lib/server/json-lines.mjs";
import { type Consumer, consume, queue } from "@/lib/server/jobs/queue.ts";
import { standIn } from "@/lib/server/jobs/stand-in.ts";
import { logRarely } from "@/lib/server/log-rarely.ts";
import { serveMetrics } from "@/lib/server/serve-metrics.ts";
import { startTracing } from "@/lib/server/export-traces.ts";
import { stopTracing } from "@/lib/server/tracing.ts";
import { drain } from "@/lib/server/jobs/drain.ts";
import { createInProcessQueue } from "@/lib/server/jobs/in-process-queue.ts";
import { keepErasures } from "@/lib/server/services/erasure/keep-erasures.ts";
import { anchorHead } from "@/lib/server/services/audit/anchor-head.ts";
import { watchKillStates } from "@/lib/server/services/automation/watch-kill-states.ts";
import { streamAccounts } from "@/lib/server/services/sync/stream-accounts.ts";
import { readBuildFence } from "@/lib/server/services/orders/order-protocol.ts";
import { protectAccounts, protectionEnded } from "@/lib/server/services/orders/protect-accounts.ts";
import { recoverAccounts } from "@/lib/server/services/sync/recover-accounts.ts";
import { isQueueActive } from "@/lib/server/services/schedule/is-queue-active.ts";
import { releaseThreads } from "@/lib/server/services/queue/run-thread.ts";
import { runJob } from "@/lib/server/services/queue/run-job.ts";
import { scheduleRounds } from "@/lib/server/services/schedule/run-due.ts";
import { beat } from "@/lib/server/services/schedule/worker-lease.ts";
import { startPulse } from "@/lib/server/services/system/process-pulse.ts";
import { refreshGauges } from "@/lib/server/services/system/refresh-gauges.ts";
import { sampleSystem } from "@/lib/server/services/system/sample-system.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { closeSystem } from "@/lib/server/services/queue/close-system.ts";
import { doors as doorsByName } from "./doors.ts";

speakInLines("worker");
const doors: JobDoor[] = Object.values(doorsByName);
/** How often the schedule is looked at, in wall time: a market minute at 120×. */
const ROUND_MS = 500;
const BEAT_EVERY_MS = 5_000;
/** How often it is looked whether the minute has a sample of the system. */
const SAMPLE_EVERY_MS = 15_000;
/** How often it is looked which accounts are a canary's, and whether one lives. */
const SHARE_EVERY_MS = 1_000;
/** How soon an erasure stands outside of the database, too. */
const ERASURES_EVERY_MS = 15_000;
/** How often held shares without a live stop are looked for, in wall time. */
const PROTECT_EVERY_MS = 2_000;
/** A process that stood still longer than this (host asleep, loop blocked) starts again, so that recovery comes first. */
const STANDSTILL_MS = 60_000;
/** Running jobs may take this long to finish after a signal; what they leave open is settled by the next start. */
const STOP_WITHIN_MS = 20_000;

// The launcher may be gone before us: a closed pipe must not end a worker that is draining.
process.stdout.on("error", () => undefined);
process.stderr.on("error", () => undefined);

const byName = new Map(doors.map((door) => [door.job.name, door]));
/** Jobs that the queue does not take while Redis is unavailable. */
const inProcess = createInProcessQueue(async (job, data, delivery) => {
  const door = byName.get(job.name);
  if (door) await runJob(context, door, data, delivery);
});
const context: Context = { ...systemContext("worker"), queue: queue(inProcess) };
const owner = `${os.hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;
const pulse = startPulse(env().CANARY ? "canary" : "worker", owner, context.now());
// What fails before this point (settings that are missing) ends the process with a line of its own.
process.removeAllListeners("uncaughtException");
process.on("unhandledRejection", (error) => die(error));
process.on("uncaughtException", (error) => die(error));

/** An unexpected state: the next start recovers from Postgres and the broker. */
function die(error: unknown): never {
  context.log.error("worker.crashed", { err: error });
  process.exit(1);
}

await startTracing("worker");
const fence = await readBuildFence(context);
if (fence !== null) context.log.error("worker.fenced", { reason: fence });
await recoverAccounts(context);
const subscription: Subscription = await streamAccounts(context);
// Beside the queue and the schedule: a stop works while either is unavailable or paused.
const killWatch = watchKillStates(context);
/** A canary takes the jobs of its share's accounts, and leaves the schedule and all that is of no single account to ordinary workers. */
const isCanary = env().CANARY;
const accountDoors = doors.filter(({ job }) => job.account !== undefined);
function open(door: JobDoor, isForCanary: boolean): Consumer {
  const run = (data: unknown, delivery: Delivery) => runJob(context, door, data, delivery);
  const worker = consume(door.job, run, isForCanary);
  worker.onError((error) => logRarely(context.log, "warn", "queue.errored", { job: door.job.name, err: error }));
  return worker;
}
const ownDoors = isCanary ? accountDoors : doors;
const jobNames = ownDoors.map((door) => door.job.name);
const workers = ownDoors.map((door) => open(door, isCanary));
const beside = standIn(() => accountDoors.map((door) => open(door, true)));

let isStopping = false;
/** Runs a task again and again with a pause between, never twice at once; its failures are logged, not fatal. */
function every(pauseMs: number, name: string, task: () => Promise<void>): { stop: () => Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const round = () => {
    running = task()
      .catch((error: unknown) => logRarely(context.log, "error", "task.failed", { task: name, err: error }, name))
      .then(() => {
        if (!isStopping) timer = setTimeout(round, pauseMs);
      });
  };
  round();
  return {
    async stop() {
      clearTimeout(timer);
      await running;
    },
  };
}

let hadShare = false;
/** An ordinary worker takes over what a canary leaves; a canary whose share was taken back ends. */
async function checkCanaryShare(): Promise<void> {
  const split = await currentSplit(context.db);
  if (!isCanary) await beside.look(split);
  else if (hadShare && split.share === 0) void stop("the share is 0");
  hadShare ||= split.share > 0;
}

/** Two clocks that are not set: while a Linux machine sleeps the process's own stands still, and the time since its start does not. ms. */
const clocks = () => [performance.now(), os.uptime() * 1_000] as const;
let lastPulse = clocks();
const loops = [
  every(1_000, "pulse", () => {
    const at = clocks();
    const stoodMs = Math.max(at[0] - lastPulse[0], at[1] - lastPulse[1]);
    if (stoodMs > STANDSTILL_MS) die(new Error(`the process stood still for ${Math.round(stoodMs / 1000)} s`));
    lastPulse = at;
    return Promise.resolve();
  }),
  every(PROTECT_EVERY_MS, "protection", () => protectAccounts(context)),
  every(ROUND_MS, "queue switch", async () => {
    const isActive = await isQueueActive(context);
    for (const worker of [...workers, beside, inProcess]) worker.hold(!isActive);
  }),
  every(SHARE_EVERY_MS, "share", checkCanaryShare),
  every(isCanary ? CANARY_BEAT_MS : BEAT_EVERY_MS, "process beat", () => pulse.beat(context)),
  ...(isCanary ? [] : loopsOfOrdinary()),
];
/** The beat is among them: while a canary alone runs, no worker does, and the watchdog acts. */
function loopsOfOrdinary() {
  return [
    ...scheduleRounds(context).map(({ name, round }) => every(ROUND_MS, name, round)),
    every(BEAT_EVERY_MS, "beat", () => beat(context, owner, { instance: env().INSTANCE_ID, jobs: jobNames })),
    every(env().AUDIT_ANCHOR_SECONDS * 1000, "audit anchor", () => anchorHead(context).then(() => undefined)),
    every(ERASURES_EVERY_MS, "erasures", () => keepErasures(context)),
    every(SAMPLE_EVERY_MS, "system sample", () => sampleSystem(context)),
  ];
}
const { WORKER_METRICS_PORT, METRICS_HOST } = env();
const metricsServer =
  WORKER_METRICS_PORT === undefined
    ? null
    : await serveMetrics({ host: METRICS_HOST, port: WORKER_METRICS_PORT, refresh: () => refreshGauges(context) });
context.log.info("worker.started", { owner, jobs: jobNames });
// The launcher waits for it; under any other parent there is no channel.
process.send?.("ready");

async function stop(signal: string): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  context.log.info("worker.stop-requested", { signal });
  const late = setTimeout(() => die(new Error("running jobs did not finish in time")), STOP_WITHIN_MS);
  late.unref();
  releaseThreads();
  await drain([...workers, beside, inProcess], () =>
    Promise.all([...loops.map((loop) => loop.stop()), killWatch.close()]),
  );
  await Promise.allSettled([protectionEnded()]);
  subscription.close();
  await metricsServer?.close();
  if (!isCanary)
    await anchorHead(context).catch((error: unknown) =>
      context.log.error("task.failed", { task: "audit anchor", err: error, count: 1 }),
    );
  // A row that stays is listed as silent and deleted a day later.
  await pulse.end(context).catch(() => undefined);
  await closeSystem(context);
  await stopTracing();
  context.log.info("worker.stopped", {});
  process.exit(0);
}
for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop(signal));
