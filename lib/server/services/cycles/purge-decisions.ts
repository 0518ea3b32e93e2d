import { DAY_MS } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { firstIdAt } from "../../core/new-id.ts";
import { type Db, Prisma } from "../../db.ts";
import { env } from "../../env.ts";

const BATCH = 1_000;

/** The latest days of each market and account are kept whatever their age: the pages of the day read them. */
const LATEST = Prisma.sql`interval '10 days'`;

interface Page {
  count: number;
  /** Null where no row is left. */
  last: string | null;
}

/**
 * Deletes decisions that did nothing and are older than DECISIONS_KEPT_DAYS, and the market snapshots and verdict sheets that only
 * they used. What ordered, cancelled or stopped the account stays with its evidence, so every trade can be explained and replayed.
 */
export async function purgeDecisions(
  { db, now, log }: Pick<Context, "db" | "now" | "log">,
  { batch = BATCH } = {},
): Promise<void> {
  const { DECISIONS_KEPT_DAYS: days } = env();
  if (days === undefined) return;
  const before = new Date(now().getTime() - days * DAY_MS);
  const old = idsBefore(before);
  // A cycle without a snapshot says that its decisions may be gone: readers ask for it, so it comes first.
  await throughPages(old, batch, (page) => releaseCycles(db, page, before));
  const count = await throughPages(old, batch, (page) => deleteDecisions(db, page, before));
  const snapshots = await throughPages(allKeys, batch, (page) => deleteSnapshots(db, page, before));
  const sheets = await throughPages(allKeys, batch, (page) => deleteSheets(db, page, before));
  log.info("decisions.purged", { count, snapshots, sheets });
}

/** The keys after the last one of the page before; null: from the first on. */
type Range = (last: string | null) => Prisma.Sql;

/** Ids grow with time (UUID v7): the key alone says where the old rows end. */
const idsBefore =
  (at: Date): Range =>
  (last) =>
    Prisma.sql`"id" > ${last ?? firstIdAt(new Date(0))}::uuid and "id" < ${firstIdAt(at)}::uuid`;

const allKeys: Range = (last) => Prisma.sql`"id" > ${last ?? ""}`;

/** One short statement for each page of keys. Answers how many rows were changed. */
async function throughPages(
  range: Range,
  batch: number,
  change: (page: Prisma.Sql) => Promise<Page[]>,
): Promise<number> {
  let [count, last]: [number, string | null] = [0, null];
  for (;;) {
    const [page]: Page[] = await change(Prisma.sql`where ${range(last)} order by "id" limit ${batch}`);
    if (!page || page.last === null) return count;
    count += page.count;
    last = page.last;
  }
}

const ANSWER = Prisma.sql`select (select count(*)::int from "changed") as "count", (select "id"::text from "page" order by "page"."id" desc limit 1) as "last"`;

const releaseCycles = (db: Db, page: Prisma.Sql, before: Date) => db.$queryRaw<Page[]>`
  with "page" as (select "id" from "Cycle" ${page}), "changed" as (
    update "Cycle" c set "snapshotId" = null from "page"
    where c."id" = "page"."id" and c."createdAt" < ${before} and c."snapshotId" is not null and exists (
      select 1 from "Cycle" n where n."market" = c."market" and n."startedAt" > c."startedAt" + ${LATEST})
    returning 1
  ) ${ANSWER}`;

/** The plan is asked, too: an order that never became an intent was decided all the same. */
const deleteDecisions = (db: Db, page: Prisma.Sql, before: Date) => db.$queryRaw<Page[]>`
  with "page" as (select "id" from "DecisionRecord" ${page}), "changed" as (
    delete from "DecisionRecord" d using "page", "Cycle" c
    where d."id" = "page"."id" and c."id" = d."cycleId" and c."snapshotId" is null and d."createdAt" < ${before}
      and d."plan" #>> '{counts,orders}' = '0' and d."plan" -> 'cancels' = '[]'::jsonb and d."plan" -> 'latch' = 'null'::jsonb
      and not exists (select 1 from "Intent" i where i."decisionId" = d."id")
      and exists (select 1 from "DecisionRecord" n
        where n."accountId" = d."accountId" and n."decidedAt" > d."decidedAt" + ${LATEST})
    returning 1
  ) ${ANSWER}`;

/** Moments alone: the part that they share with their session stands in their text and not in a key, and is small. */
const deleteSnapshots = (db: Db, page: Prisma.Sql, before: Date) => db.$queryRaw<Page[]>`
  with "page" as (select "id" from "MarketSnapshot" ${page}), "changed" as (
    delete from "MarketSnapshot" m using "page"
    where m."id" = "page"."id" and m."createdAt" < ${before}
      and not exists (select 1 from "DecisionRecord" d where d."snapshotId" = m."id")
      and not exists (select 1 from "Cycle" c where c."snapshotId" = m."id")
      and not exists (select 1 from "RotationPlan" r where r."snapshotId" = m."id")
      and m."content" ->> 'sessionPart' is not null
    returning 1
  ) ${ANSWER}`;

const deleteSheets = (db: Db, page: Prisma.Sql, before: Date) => db.$queryRaw<Page[]>`
  with "page" as (select "id" from "VerdictSheet" ${page}), "changed" as (
    delete from "VerdictSheet" s using "page"
    where s."id" = "page"."id" and s."createdAt" < ${before}
      and not exists (select 1 from "DecisionRecord" d where d."sheetId" = s."id")
    returning 1
  ) ${ANSWER}`;
