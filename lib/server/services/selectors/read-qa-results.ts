import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { selectorsApi } from "@/lib/contracts/selectors.ts";
import type { MarketName } from "@/lib/domain/enums.ts";
import type { Context } from "../../context.ts";
import { sessionOf } from "../../rows.ts";
import { isFlagOn } from "../flags/read-flags.ts";
import { sessionOpening } from "./market-day.ts";
import { marketScope } from "./market-scope.ts";
import { qaOfSelections } from "./qa-view.ts";

type Answer = Given<typeof selectorsApi.qaResults>;

/** Selections that the metrics look back on. */
const METRICS_SELECTIONS = 60;

/** The rules on the last selection of a market, and how each of them did on the selections before. */
export async function readQaResults(
  context: Context,
  { market: wanted }: Received<typeof selectorsApi.qaResults>,
): Promise<Answer> {
  const { market, selection, scope } = await marketScope(context, wanted);
  const [qa, metrics, qaLiveGate, qaHistory] = await Promise.all([
    selection === null ? null : qaOfSelections(context, [selection.id]),
    metricsOf(context, market),
    isFlagOn(context, "qa_live_gate"),
    isFlagOn(context, "qa_history"),
  ]);
  const results = selection === null ? [] : (qa?.get(selection.id) ?? []);
  const failed = results.filter(({ passed }) => !passed);
  return {
    ...scope,
    flags: { qaLiveGate, qaHistory },
    metadata: {
      totalRules: results.length,
      passedRules: results.length - failed.length,
      failedRules: failed.length,
      criticalFailures: failed.filter(({ severity }) => severity === "critical").length,
      lastUpdated: results[0]?.timestamp ?? sessionOpening(scope.sessionDate),
    },
    results,
    metrics,
  };
}

interface RuleRow {
  ruleId: string;
  severity: Answer["results"][number]["severity"];
  passed: number;
  failed: number;
  unknown: number;
  smallestMargin: number | null;
  lastFailedOn: Date | null;
}

async function metricsOf({ db }: Pick<Context, "db">, market: MarketName): Promise<Answer["metrics"]> {
  const [rules, judged] = await Promise.all([
    db.$queryRaw<RuleRow[]>`
      select q."ruleId", q."severity"::text as "severity",
        count(*) filter (where q."status" = 'PASS')::int as "passed",
        count(*) filter (where q."status" <> 'PASS')::int as "failed",
        count(*) filter (where q."status" = 'UNKNOWN')::int as "unknown",
        min(q."margin") as "smallestMargin",
        max(s."sessionDate") filter (where q."status" <> 'PASS') as "lastFailedOn"
      from (select "id", "sessionDate" from "Selection" where "market" = ${market}::"Market"
        order by "sessionDate" desc limit ${METRICS_SELECTIONS}) s
      join "QaResult" q on q."selectionId" = s."id"
      group by q."ruleId", q."severity" order by q."ruleId"`,
    db.selection.count({ where: { market } }),
  ]);
  return {
    selections: Math.min(judged, METRICS_SELECTIONS),
    rules: rules.map(({ lastFailedOn, ...rule }) => ({
      ...rule,
      lastFailedOn: lastFailedOn && sessionOf(lastFailedOn),
    })),
  };
}
