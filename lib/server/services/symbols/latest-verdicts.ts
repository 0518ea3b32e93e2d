import type { CandidateVerdict, PlannedOrder, RegimeView, SymbolView } from "@/lib/domain/engine/plan.ts";
import type { RiskName } from "@/lib/domain/enums.ts";
import { convictionLine } from "@/lib/domain/gates/conviction.ts";
import { symbolScore, type SymbolVerdict } from "@/lib/domain/insight/symbol-sentences.ts";
import type { Context } from "../../context.ts";
import { Prisma } from "../../db.ts";
import { policyReader } from "../../core/read-policy.ts";
import { isOneOf } from "../../core/accounts-of-environment.ts";

interface Row {
  id: string;
  accountId: string;
  decidedAt: Date;
  policyVersion: string;
  riskLevel: RiskName;
  candidate: CandidateVerdict | null;
  orders: PlannedOrder[];
  regime: RegimeView;
  view: SymbolView | null;
}

/** What the latest decision of each account says of a symbol. Only the symbol's part of a plan leaves the database. */
export async function latestVerdicts(
  context: Pick<Context, "db">,
  accounts: readonly { id: string }[],
  symbol: string,
): Promise<Map<string, SymbolVerdict>> {
  if (accounts.length === 0) return new Map();
  const policyOf = policyReader(context);
  const rows = await context.db.$queryRaw<Row[]>`
    select d."id", a."id" as "accountId", d."decidedAt", d."policyVersion",
      d."accountState" #>> '{preferences,riskLevel}' as "riskLevel",
      (select c from jsonb_array_elements(d."plan" -> 'candidates') c where c ->> 'symbol' = ${symbol} limit 1) as "candidate",
      coalesce((select jsonb_agg(o) from jsonb_array_elements(d."plan" -> 'orders') o where o ->> 'symbol' = ${symbol}), '[]') as "orders",
      p."content" -> 'regime' as "regime", p."content" #> array['symbols', ${symbol}] as "view"
    from "Account" a cross join lateral (
      select * from "DecisionRecord" where "accountId" = a."id" order by "decidedAt" desc limit 1) d
    join "MarketSnapshot" m on m."id" = d."snapshotId"
    join "MarketSnapshot" p on p."id" = m."content" ->> 'sessionPart'
    where ${isOneOf(accounts, Prisma.sql`a."id"`)}`;
  const verdicts = await Promise.all(
    rows.map(async (row): Promise<[string, SymbolVerdict]> => {
      const { candidate } = row;
      const line = convictionLine({ preferences: row }, await policyOf(row.policyVersion));
      const confidence = candidate?.confidence ?? null;
      return [
        row.accountId,
        {
          id: row.id,
          at: row.decidedAt.toISOString(),
          candidate,
          score: confidence === null ? null : symbolScore(confidence, line),
          regime: row.regime,
          earnings: row.view?.earnings ?? null,
          sector: row.view?.sector ?? null,
          isOrdered: row.orders.some(({ side }) => side === "BUY"),
        },
      ];
    }),
  );
  return new Map(verdicts);
}
