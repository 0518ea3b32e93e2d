import type { AuditEventType } from "@/lib/domain/audit-events.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { Prisma } from "../../db.ts";
import { newestMasterKeyVersion } from "../../secrets/envelope.ts";
import { resealKeys } from "../../secrets/seal.ts";
import { resealTotp } from "../../secrets/seal-totp.ts";
import { resealWebhook } from "../../secrets/seal-webhook.ts";
import { resealSubjectKey } from "../../secrets/subject-key.ts";

const BATCH = 100;

interface Sealed {
  id: string;
  text: string;
}

/** Where sealed texts stand. The same text is in canonical form everywhere, so its beginning names the master key. */
interface Place {
  table: Prisma.Sql;
  id: Prisma.Sql;
  column: Prisma.Sql;
  reseal: (text: string, id: string) => string;
}

const PLACES: Place[] = [
  { table: Prisma.sql`"Account"`, id: Prisma.sql`"id"`, column: Prisma.sql`"sealedKeys"`, reseal: resealKeys },
  {
    table: Prisma.sql`"SubjectKey"`,
    id: Prisma.sql`"userId"`,
    column: Prisma.sql`"sealedKey"`,
    reseal: resealSubjectKey,
  },
  {
    table: Prisma.sql`"TotpFactor"`,
    id: Prisma.sql`"userId"`,
    column: Prisma.sql`"sealedSecret"`,
    reseal: resealTotp,
  },
  {
    table: Prisma.sql`"Webhook"`,
    id: Prisma.sql`"userId"`,
    column: Prisma.sql`"sealedTarget"`,
    reseal: resealWebhook,
  },
];

export interface ResealReport {
  /** The version of MASTER_KEYS that seals now. */
  newest: number;
  resealed: number;
  /** Rows that are still under an older master key: it may leave MASTER_KEYS once there are none. */
  waiting: number;
  /** Rows of those that did not open: changed, or sealed under a master key that is not here. */
  unreadable: string[];
}

/**
 * Puts every sealed row under the newest master key, batch by batch; what the rows hold stays closed. A row that changed
 * meanwhile is left to the next look. May end at any moment and be run again: every row opens before and after.
 */
export async function resealStoredKeys(context: Context): Promise<ResealReport> {
  const newest = newestMasterKeyVersion();
  const before = await countWaiting(context, newest);
  const report: ResealReport = { newest, resealed: 0, waiting: before, unreadable: [] };
  if (before === 0) return report;
  await note(context, "KEYS_RESEAL_STARTED", { newest, waiting: before });
  for (const place of PLACES) await resealPlace(context, place, report);
  report.waiting = await countWaiting(context, newest);
  const { resealed, waiting, unreadable } = report;
  await note(context, "KEYS_RESEALED", { newest, resealed, waiting, unreadable: unreadable.length });
  return report;
}

async function resealPlace({ db }: Context, place: Place, report: ResealReport): Promise<void> {
  const { table, id, column } = place;
  let after = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const rows = await db.$queryRaw<Sealed[]>`
      select ${id} as "id", ${column} as "text" from ${table}
      where ${id} > ${after}::uuid and ${isOld(place, report.newest)} order by ${id} limit ${BATCH}`;
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
    const renewed: (Sealed & { next: string })[] = [];
    for (const row of rows) {
      try {
        renewed.push({ ...row, next: place.reseal(row.text, row.id) });
      } catch {
        report.unreadable.push(row.id);
      }
    }
    // Compare and set: keys that were erased or exchanged meanwhile do not come back.
    report.resealed += await db.$executeRaw`
      update ${table} set ${column} = "renewed"."next"
      from unnest(${renewed.map((row) => row.id)}::uuid[], ${renewed.map((row) => row.text)}::text[],
        ${renewed.map((row) => row.next)}::text[]) as "renewed"("rowId", "before", "next")
      where ${table}.${id} = "renewed"."rowId" and ${table}.${column} = "renewed"."before"`;
  }
}

const isOld = ({ column }: Place, newest: number) =>
  Prisma.sql`${column} is not null and not starts_with(${column}, ${`{"v":1,"kek":${newest},`})`;

async function countWaiting({ db }: Context, newest: number): Promise<number> {
  const counts = await Promise.all(
    PLACES.map(async (place) => {
      const [row] = await db.$queryRaw<[{ count: bigint }]>`
        select count(*) as "count" from ${place.table} where ${isOld(place, newest)}`;
      return Number(row.count);
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

async function note(
  { db, actor, now, request }: Context,
  eventType: AuditEventType,
  data: Record<string, number>,
): Promise<void> {
  await db.$transaction((tx) => recordAudit(tx, { at: now(), eventType, actor, requestId: request.id, data }));
}
