/**
 * The worker: wakes what is due, screens, decides, submits, follows orders, sends mail. Start-up and
 * recovery are one path: nothing new is decided for an account before its orders are settled.
 */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import pg from "pg";
import type { Subscription } from "@/lib/server/broker/broker.ts";
import { env } from "@/lib/server/env.ts";
import type { JobDoor } from "@/lib/server/jobs/define-job.ts";
import { consume, prepareQueue } from "@/lib/server/jobs/queue.ts";
import { followAccounts } from "@/lib/server/services/orders/follow-accounts.ts";
import { recoverAccounts } from "@/lib/server/services/orders/recover-accounts.ts";
import { runDueSchedules } from "@/lib/server/services/schedule/run-due.ts";
import { beat } from "@/lib/server/services/schedule/worker-lease.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { closeSystem } from "@/lib/server/services/queue/close-system.ts";
import { accountCycle } from "./account-cycle.ts";
import { equity } from "./equity.ts";
import { mail } from "./mail.ts";
import { orderStatus } from "./order-status.ts";
import { screening } from "./screening.ts";

const doors: JobDoor[] = [orderStatus, screening, accountCycle, equity, mail];
/** How often the schedule is looked at, in wall time: a market minute at 120×. */
const ROUND_MS = 500;
const BEAT_EVERY_MS = 5_000;

// The launcher may be gone before us: a closed pipe must not end a worker that is draining.
process.stdout.on("error", () => undefined);
process.stderr.on("error", () => undefined);

const context = systemContext("worker");
const owner = `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;

async function prepare(): Promise<void> {
  const client = new pg.Client({ connectionString: env().DATABASE_URL });
  await client.connect();
  try {
    await prepareQueue(client);
  } finally {
    await client.end();
  }
}

await prepare();
await recoverAccounts(context);
const subscription: Subscription = await followAccounts(context);
const workers = doors.map((door) => {
  const worker = consume(door.job, (data) => door.run(context, data));
  worker.on("error", (error) => context.log.warn({ job: door.job.name, err: error }, "queue connection"));
  return worker;
});

let isStopping = false;
/** Runs a task again and again with a pause between, never twice at once; its failures are logged, not fatal. */
function every(pauseMs: number, name: string, task: () => Promise<void>): { stop: () => Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const round = () => {
    running = task()
      .catch((error: unknown) => context.log.error({ err: error }, `${name} failed`))
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

const loops = [
  every(ROUND_MS, "schedule", () => runDueSchedules(context)),
  every(BEAT_EVERY_MS, "beat", () =>
    beat(context, owner, { instance: env().INSTANCE_ID, jobs: doors.map((door) => door.job.name) }),
  ),
];
context.log.info({ owner, jobs: doors.map((door) => door.job.name) }, "worker ready");

async function stop(signal: string): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  context.log.info({ signal }, "worker stopping: running jobs finish first");
  await Promise.all(loops.map((loop) => loop.stop()));
  await Promise.allSettled(workers.map((worker) => worker.close()));
  subscription.close();
  await closeSystem(context);
  context.log.info({}, "worker stopped");
  process.exit(0);
}
for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop(signal));
