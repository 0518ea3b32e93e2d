import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import { holdLease } from "../../core/lease.ts";
import { env } from "../../env.ts";

const WORKER = "worker";
const WATCHDOG = "watchdog";
/** A watchdog that has not looked for this long gives its place to another one. Wall time. */
const WATCH_LEASE_MS = 30_000;

type Clocked = Pick<Context, "db" | "now">;

export async function beat({ db, now }: Clocked, owner: string, detail: object): Promise<void> {
  const row = { owner, beatAt: now(), detail };
  await db.lease.upsert({ where: { name: WORKER }, create: { name: WORKER, ...row }, update: row });
}

/** When any worker last sent a heartbeat; null before the first. */
export async function readBeat({ db }: Pick<Context, "db">): Promise<Date | null> {
  const lease = await db.lease.findUnique({ where: { name: WORKER }, select: { beatAt: true } });
  return lease?.beatAt ?? null;
}

/** A beat that lies ahead by less than the silence allowed is of a worker whose clock is ahead of this one. */
export async function isWorkerBeating(context: Clocked): Promise<boolean> {
  const beatAt = await readBeat(context);
  return beatAt !== null && Math.abs(Number(context.now()) - Number(beatAt)) < env().WORKER_SILENCE_SECONDS * 1000;
}

/** True for the one watchdog that acts: the owner of the lease, or the first to find it expired. */
export const takeWatch = ({ db }: Pick<Context, "db">, owner: string): Promise<boolean> =>
  holdLease(db, { name: WATCHDOG, owner, leaseMs: WATCH_LEASE_MS });

/** True for the first to report this outage, named by the last beat before it: once, whichever watchdog has the lease. */
export async function startOutage(tx: Tx, beatAt: Date): Promise<boolean> {
  const outage = beatAt.toISOString();
  const marked = await tx.$executeRaw`
    update "Lease" set "detail" = jsonb_build_object('outage', ${outage}::text)
    where "name" = ${WATCHDOG} and "detail"->>'outage' is distinct from ${outage}::text`;
  return marked === 1;
}

/** True for the first that has checked all accounts since this outage was reported. */
export async function markOutageChecked(tx: Tx, beatAt: Date): Promise<boolean> {
  const marked = await tx.$executeRaw`
    update "Lease" set "detail" = "detail" || '{"isChecked": true}'
    where "name" = ${WATCHDOG} and "detail"->>'outage' = ${beatAt.toISOString()}::text and "detail"->>'isChecked' is null`;
  return marked === 1;
}

/** The last beat before the outage that was reported and is not over yet; null when there is none. */
export async function outageKnown({ db }: Pick<Context, "db">): Promise<Date | null> {
  const lease = await db.lease.findUnique({ where: { name: WATCHDOG }, select: { detail: true } });
  const { outage } = (lease?.detail ?? {}) as { outage?: string };
  return outage === undefined ? null : new Date(outage);
}

/** True for the first to note the end of this outage. */
export async function endOutage(tx: Tx, outage: Date): Promise<boolean> {
  const ended = await tx.$executeRaw`
    update "Lease" set "detail" = '{}'
    where "name" = ${WATCHDOG} and "detail"->>'outage' = ${outage.toISOString()}::text`;
  return ended === 1;
}
