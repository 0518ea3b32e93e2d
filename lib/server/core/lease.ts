import type { Db } from "../db.ts";

/**
 * True for the one owner of a lease: who has it, or the first to find that it was not renewed for `leaseMs`. Judged by the database's clock:
 * those of the owners' machines may be apart. A time of the future is of that clock while it was ahead.
 */
export async function holdLease(
  db: Pick<Db, "$executeRaw">,
  { name, owner, leaseMs }: { name: string; owner: string; leaseMs: number },
): Promise<boolean> {
  const seconds = leaseMs / 1000;
  const held = await db.$executeRaw`
    insert into "Lease" ("name", "owner", "beatAt") values (${name}, ${owner}, now())
    on conflict ("name") do update set "owner" = excluded."owner", "beatAt" = excluded."beatAt"
    where "Lease"."owner" = excluded."owner"
      or "Lease"."beatAt" not between now() - make_interval(secs => ${seconds}) and now() + make_interval(secs => ${seconds})`;
  return held === 1;
}
