import { isInShare } from "@/lib/domain/canary.ts";
import { latestOf } from "@/lib/domain/wall-clock.ts";
import type { Db } from "../db.ts";
import { env } from "../env.ts";

/** How the accounts are shared out between a canary worker and the ordinary ones. */
export interface Split {
  /** Hundredths of a percent. */
  share: number;
  /** A canary sent a heartbeat a moment ago. Where none does, its accounts are the ordinary workers'. */
  isAlive: boolean;
}
const NO_SPLIT: Split = { share: 0, isAlive: false };

/** A canary's heartbeat, and how long after the last one it counts as gone. Wall time. */
export const CANARY_BEAT_MS = 2_000;
export const CANARY_SILENT_MS = 10_000;
/** How long a process goes by what it read: every job that is woken asks. */
const KEPT_MS = 1_000;

export async function readSplit(db: Db, now = new Date()): Promise<Split> {
  const since = new Date(now.getTime() - CANARY_SILENT_MS);
  const [split] = await db.$queryRaw<[Split?]>`
    select "canaryShare" as "share",
      exists (select 1 from "ProcessBeat" where "kind" = 'canary' and "beatAt" between ${since}::timestamptz and ${latestOf(0, now)}::timestamptz) as "isAlive"
    from "SystemState" where "id" = 1`;
  return split ?? NO_SPLIT;
}

const kept = new WeakMap<Db, { readAtMs: number; split: Promise<Split> }>();

/** The split of this second. While Postgres does not answer, the last one that was read stays in force. */
export function currentSplit(db: Db): Promise<Split> {
  const last = kept.get(db);
  const readAtMs = performance.now();
  if (last !== undefined && readAtMs - last.readAtMs < KEPT_MS) return last.split;
  const split = readSplit(db).catch(() => last?.split ?? NO_SPLIT);
  kept.set(db, { readAtMs, split });
  return split;
}

/** What was read before a change in this process counts no more. */
export const forgetSplit = (db: Db): void => void kept.delete(db);

export const isCanarys = ({ share, isAlive }: Split, accountId: string): boolean =>
  isAlive && isInShare(accountId, share);

/** Tells which accounts this process follows and protects: a canary its share, an ordinary worker what no living canary has. */
export async function ownAccounts(db: Db): Promise<(accountId: string) => boolean> {
  const split = await currentSplit(db);
  if (env().CANARY) return (accountId) => isInShare(accountId, split.share);
  return (accountId) => !isCanarys(split, accountId);
}

/** The same of stops that people set: ordinary workers enforce them for a canary's accounts, too, whatever its build does. */
export const guardedAccounts = async (db: Db): Promise<(accountId: string) => boolean> =>
  env().CANARY ? ownAccounts(db) : () => true;
