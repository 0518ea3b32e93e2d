import type { SideName } from "@/lib/domain/enums.ts";
import { slippageBps } from "@/lib/domain/metrics.ts";
import { type Money, money, sum } from "@/lib/domain/money.ts";
import { kpiSnapshot } from "@/lib/domain/rotation/kpis.ts";
import type { KpiSnapshot } from "@/lib/domain/rotation/proposal.ts";
import { MINUTE_MS } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { Prisma } from "../../db.ts";

/** Round trips that closed in this many calendar days before the plan. */
const KPI_DAYS = 90;
/** The newest of them: the cost of a plan does not grow with history. */
const TRIPS_MAX = 20_000;

/** How the closed round trips of these accounts did lately, and what their orders slipped, weighted by value. */
export async function readKpis({ db }: Context, accountIds: readonly string[], at: string): Promise<KpiSnapshot> {
  if (accountIds.length === 0) return kpiSnapshot([], []);
  const until = new Date(at);
  const from = new Date(until.getTime() - KPI_DAYS * 24 * 60 * MINUTE_MS);
  const [trips, slips] = await Promise.all([
    db.roundTrip.findMany({
      where: { accountId: { in: [...accountIds] }, closedAt: { gte: from, lte: until }, outcome: { not: null } },
      select: { pnl: true, outcome: true, exitReason: true },
      orderBy: { closedAt: "desc" },
      take: TRIPS_MAX,
    }),
    // Stops and targets rest at their own prices: only what was sent on a decision slips against it.
    db.$queryRaw<{ side: SideName; decided: string; filled: string }[]>`
      select o."side"::text as "side", sum(i."decisionPrice" * o."filledQty")::text as "decided", sum(o."filledValue")::text as "filled"
      from "Order" o join "Intent" i on i."id" = o."intentId"
      where o."accountId" in (${Prisma.join(accountIds.map((id) => Prisma.sql`${id}::uuid`))})
        and o."role" in ('ENTRY', 'EXIT') and o."filledQty" > 0 and i."decisionPrice" > 0
        and o."tradedAt" >= ${from} and o."tradedAt" <= ${until}
      group by o."side"`,
  ]);
  const slippage = slippageOf(slips.map((row) => ({ ...row, decided: money(row.decided), filled: money(row.filled) })));
  return kpiSnapshot(
    trips.flatMap(({ pnl, outcome, exitReason }) =>
      outcome === null ? [] : [{ pnl: money(pnl), outcome, exitReason }],
    ),
    slippage === null ? [] : [slippage],
  );
}

function slippageOf(slips: readonly { side: SideName; decided: Money; filled: Money }[]): number | null {
  const decided = sum(slips.map((slip) => slip.decided));
  const lost = sum(
    slips.map((slip) => (slip.side === "BUY" ? slip.filled.minus(slip.decided) : slip.decided.minus(slip.filled))),
  );
  return decided.gt(0) ? slippageBps("BUY", decided, decided.plus(lost)) : null;
}
