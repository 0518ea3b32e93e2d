import type { MarketName, RegimeLabel } from "@/lib/domain/enums.ts";
import type { Policy } from "@/lib/domain/policy.ts";
import type { QaPortfolio } from "@/lib/domain/qa/rule.ts";
import { runQa } from "@/lib/domain/qa/run-qa.ts";
import type { ScreenResult } from "@/lib/domain/screening/screen-market.ts";
import type { Context } from "../../context.ts";
import { logUserEvents } from "../../core/log-user-events.ts";
import { inTransaction } from "../../core/transaction.ts";

export interface QaOfSelection {
  selectionId: string;
  result: ScreenResult;
  regime: RegimeLabel;
  policy: Policy;
  /** Market time of the selection. */
  at: string;
}

/** Runs the six rules on a selection and stores their verdicts once, however many workers come by. */
export async function storeQa(
  context: Context,
  { selectionId, result, regime, policy, at }: QaOfSelection,
): Promise<void> {
  if ((await context.db.qaResult.count({ where: { selectionId } })) > 0) return;
  const portfolios = await portfoliosOf(context, result.market, regime);
  // A selection buys nothing by itself: what is bought is judged account by account (qa-gate.ts).
  const verdicts = runQa({ policy, selection: result, portfolios, entries: [], rotationSwaps: [] });
  await inTransaction(context, async (tx) => {
    await tx.$queryRaw`select 1 from "Selection" where "id" = ${selectionId}::uuid for update`;
    if ((await tx.qaResult.count({ where: { selectionId } })) > 0) return;
    await tx.qaResult.createMany({ data: verdicts.map((verdict) => ({ ...verdict, selectionId, at: new Date(at) })) });
    const failing = verdicts.filter(({ status }) => status !== "PASS");
    await logUserEvents(
      tx,
      failing.map(({ ruleId, severity, status, message }) => ({
        level: severity === "critical" ? ("error" as const) : ("warn" as const),
        message: `QA ${ruleId} ${status === "FAIL" ? "failed" : "could not be judged"}: ${message}`,
        userId: null,
        marketAt: new Date(at),
        context: { market: result.market, ruleId, severity, status, selectionId },
      })),
    );
  });
}

/** The accounts of a market as last read at their brokers: exposure, and the largest name that the product holds. */
async function portfoliosOf(
  { db }: Pick<Context, "db">,
  market: MarketName,
  regime: RegimeLabel,
): Promise<QaPortfolio[]> {
  // One row an account: the rule asks for the largest name, not for every one.
  const rows = await db.$queryRaw<{ id: string; gross: number; symbol: string | null; weight: number | null }[]>`
    select distinct on (a."id") a."id", (f."longMarketValue" / f."equity")::float8 as gross,
      p."symbol", (p."marketValue" / f."equity")::float8 as weight
    from "Account" a join "AccountFigures" f on f."accountId" = a."id"
      left join "Position" p on p."accountId" = a."id" and p."strategy" is not null and p."marketValue" is not null
    where a."market" = ${market}::"Market" and a."deletedAt" is null and a."status" = 'ACTIVE' and f."equity" > 0
    order by a."id", p."marketValue" desc nulls last`;
  return rows.map(({ id, gross, symbol, weight }) => ({
    accountId: id,
    isRaise: false,
    regime,
    gross,
    weights: symbol === null || weight === null ? {} : { [symbol]: weight },
    sectors: {},
  }));
}
