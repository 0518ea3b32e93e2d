import { DAY_MS } from "@/lib/domain/time.ts";
import { Prisma } from "../db.ts";
import { firstIdAt } from "./new-id.ts";

/** Nearly every account that decides has decided in these days. */
const RECENT_MS = 35 * DAY_MS;

/**
 * A value of an account's latest decision, as an expression; null where it never decided. Decisions lie in a partition for each
 * month of their ids: the earlier ones, of which there may be many, are asked only where the recent ones hold none.
 */
export function ofLatestDecision(column: "decidedAt" | "line", accountId: Prisma.Sql, now: Date): Prisma.Sql {
  const recent = firstIdAt(new Date(now.getTime() - RECENT_MS));
  const among = (ids: Prisma.Sql) => Prisma.sql`(
    select ${Prisma.raw(`"${column}"`)} from "DecisionRecord" where "accountId" = ${accountId} and "id" ${ids} order by "decidedAt" desc limit 1)`;
  return Prisma.sql`coalesce(${among(Prisma.sql`>= ${recent}::uuid`)}, ${among(Prisma.sql`< ${recent}::uuid`)})`;
}
