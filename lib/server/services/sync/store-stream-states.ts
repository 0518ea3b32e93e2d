import type { Db } from "../../db.ts";

/** The broker has said that updates flow. */
export const LISTENING = "listening";

export interface StreamChange {
  state: string;
  since: Date;
}

/** Writes what became of the streams since the last time, all of them at once. */
export async function storeStreamStates(db: Db, changes: ReadonlyMap<string, StreamChange>): Promise<void> {
  if (changes.size === 0) return;
  const rows = [...changes];
  await db.$executeRaw`
    insert into "StreamState" ("accountId", "state", "since")
    select s."accountId", s."state", s."since"
    from unnest(${rows.map(([id]) => id)}::uuid[], ${rows.map(([, { state }]) => state)}::text[],
      ${rows.map(([, { since }]) => since.toISOString())}::timestamptz[]) as s("accountId", "state", "since")
    where exists (select 1 from "Account" a where a."id" = s."accountId")
    on conflict ("accountId") do update set "state" = excluded."state", "since" = excluded."since"`;
}
