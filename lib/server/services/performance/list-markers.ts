import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { performanceApi } from "@/lib/contracts/performance.ts";
import type { SideName } from "@/lib/domain/enums.ts";
import type { Context } from "../../context.ts";
import { Prisma } from "../../db.ts";
import { accountsOfEnvironment, isOneOf } from "../../core/accounts-of-environment.ts";
import { checkPeriod, isWithin } from "./period.ts";

const MARKERS_MOST = 1000;

interface Row {
  at: Date;
  side: SideName;
  symbol: string;
  tradeId: string;
  price: string;
}

/** The orders of one environment that were filled, as marks on its equity line. */
export async function listMarkers(
  context: Context<"user">,
  query: Received<typeof performanceApi.markers>,
): Promise<Given<typeof performanceApi.markers>> {
  checkPeriod(query);
  const { accounts, ...scope } = await accountsOfEnvironment(context, query.environment);
  if (accounts.length === 0) return { ...scope, markers: [] };
  const rows = await context.db.$queryRaw<Row[]>`
    select coalesce("filledAt", "tradedAt") as "at", "side"::text, "symbol", "id" as "tradeId", "filledAvgPrice"::text as "price"
    from "Order"
    where ${isOneOf(accounts)} and "filledQty" > 0 and "filledAvgPrice" is not null and ${isWithin(Prisma.sql`"tradedAt"`, query)}
    order by "tradedAt" desc, "id" desc limit ${MARKERS_MOST}`;
  return { ...scope, markers: rows.sort((a, b) => a.at.getTime() - b.at.getTime()) };
}
