import { JOBS_OF_ONE_ACCOUNT } from "@/lib/contracts/jobs.ts";
import type { Tx } from "../../db.ts";

interface RunOfJob {
  key: string;
  job: string;
}

const scopeOf = ({ key }: RunOfJob) => key.slice(key.indexOf(":") + 1);

/**
 * The account that has to be resumed before a run of this kind, by the run's key. Work of many accounts or of none waits for no
 * resumption, and neither does work of a deleted account, which cannot be resumed.
 */
export async function accountsOfRuns(db: Tx, runs: readonly RunOfJob[]): Promise<ReadonlyMap<string, string>> {
  const ofOne = runs.filter(({ job }) => JOBS_OF_ONE_ACCOUNT.includes(job));
  if (ofOne.length === 0) return new Map();
  const rows = await db.account.findMany({
    where: { id: { in: ofOne.map(scopeOf) }, deletedAt: null },
    select: { id: true },
  });
  const open = new Set(rows.map(({ id }) => id));
  return new Map(ofOne.filter((run) => open.has(scopeOf(run))).map((run) => [run.key, scopeOf(run)]));
}
