import { Prisma } from "../db.ts";

/**
 * The rows of a query as one value, in their order: several lists are read by one statement. The query gives decimals as text, since
 * Json's numbers are doubles; its times arrive as text.
 */
export const listOf = (query: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`(select coalesce(json_agg(r), '[]'::json) from (${query}) r)`;
