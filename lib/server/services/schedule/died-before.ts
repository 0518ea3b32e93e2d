import type { Context } from "../../context.ts";
import { scheduleKey } from "./schedule-keys.ts";

/** A page's last run did not come to an end: one of its accounts may end workers. Alone, each is found and halted. */
export async function diedBefore({ db }: Pick<Context, "db">, job: string, scope: string): Promise<boolean> {
  const run = await db.jobRun.findUnique({ where: { key: scheduleKey(job, scope) }, select: { unfinished: true } });
  return (run?.unfinished ?? 0) > 1;
}
