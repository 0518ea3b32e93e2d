import type { RegimeView, SymbolView } from "@/lib/domain/engine/plan.ts";
import type { RiskName } from "@/lib/domain/enums.ts";
import { convictionLine } from "@/lib/domain/gates/conviction.ts";
import { symbolScore, type SymbolVerdict } from "@/lib/domain/insight/symbol-sentences.ts";
import type { Context } from "../../context.ts";
import { Prisma } from "../../db.ts";
import { wholePlanOf } from "../../core/json.ts";
import { policyReader } from "../../core/read-policy.ts";
import { isOneOf } from "../../core/accounts-of-environment.ts";

interface Row {
  id: string;
  accountId: string;
  decidedAt: Date;
  policyVersion: string;
  riskLevel: RiskName;
  plan: Prisma.JsonValue;
  verdicts: Prisma.JsonValue;
  sheet: { content: Prisma.JsonValue } | null;
  regime: RegimeView;
  view: SymbolView | null;
}

/** What the latest decision of each account says of a symbol. */
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
      d."plan", d."verdicts", case when s."id" is not null then jsonb_build_object('content', s."content") end as "sheet",
      p."content" -> 'regime' as "regime", p."content" #> array['symbols', ${symbol}] as "view"
    from "Account" a cross join lateral (
      select * from "DecisionRecord" where "accountId" = a."id" order by "decidedAt" desc limit 1) d
    join "MarketSnapshot" m on m."id" = d."snapshotId"
    join "MarketSnapshot" p on p."id" = m."content" ->> 'sessionPart'
    left join "VerdictSheet" s on s."id" = d."sheetId"
    where ${isOneOf(accounts, Prisma.sql`a."id"`)}`;
  const verdicts = await Promise.all(
    rows.map(async (row): Promise<[string, SymbolVerdict]> => {
      const { candidates, orders } = wholePlanOf(row);
      const candidate = candidates.find((each) => each.symbol === symbol) ?? null;
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
          isOrdered: orders.some((order) => order.symbol === symbol && order.side === "BUY"),
        },
      ];
    }),
  );
  return new Map(verdicts);
}
