import { Failure } from "@/lib/domain/failures.ts";
import { addDays, newYorkInstant, type SessionDate } from "@/lib/domain/time.ts";
import { Prisma } from "../../db.ts";

/** New York dates, both included; absent means open. */
export interface Period {
  from?: SessionDate | undefined;
  to?: SessionDate | undefined;
}

/** Throws `invalid_input` when it ends before it begins. */
export function checkPeriod({ from, to }: Period): void {
  if (from === undefined || to === undefined || from <= to) return;
  const message = "The start date must not be after the end date.";
  throw new Failure("invalid_input", message, { issues: [{ path: "from", message }] });
}

/** The column's market time lies in the period. */
export function isWithin(column: Prisma.Sql, { from, to }: Period): Prisma.Sql {
  const conditions = [Prisma.sql`true`];
  if (from !== undefined) conditions.push(Prisma.sql`${column} >= ${new Date(newYorkInstant(from, 0, 0))}`);
  if (to !== undefined) conditions.push(Prisma.sql`${column} < ${new Date(newYorkInstant(addDays(to, 1), 0, 0))}`);
  return Prisma.join(conditions, " and ");
}
