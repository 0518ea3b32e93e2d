import type { Given } from "@/lib/contracts/endpoint.ts";
import type { rotationApi } from "@/lib/contracts/rotation.ts";
import type { GridCell } from "@/lib/domain/backtest/grid.ts";
import type { PreviewFigures } from "@/lib/domain/backtest/preview.ts";
import type { BacktestRecord } from "@/lib/domain/backtest/record.ts";
import type { HistoryPoint } from "@/lib/domain/backtest/strategy-history.ts";
import type { SourceValue } from "@/lib/domain/consensus/consensus.ts";
import type { AccountState, GateResult, Plan, PositionReview } from "@/lib/domain/engine/plan.ts";
import { type CommonVerdicts, type OwnVerdicts, readVerdicts } from "@/lib/domain/engine/verdict-sheet.ts";
import type { GridAxisName } from "@/lib/domain/enums.ts";
import type { DecimalText } from "@/lib/domain/money.ts";
import type { PreferencesView } from "@/lib/domain/preferences.ts";
import type { RecordFact, TemplateSentence } from "@/lib/domain/insight/check-text.ts";
import type { Statistic } from "@/lib/domain/statistics/statistics.ts";
import type { RotationProposal } from "@/lib/domain/rotation/proposal.ts";
import type { RegimeMemory } from "@/lib/domain/screening/regime.ts";
import type { SelectionMemory } from "@/lib/domain/screening/select-seats.ts";
import type { Prisma } from "../db.ts";

/**
 * What the Json columns hold, each with one reader. Our own services alone write them, through `asJson`; a policy's
 * content, which people edit, is checked by `checkPolicy` instead.
 */

/** A value of ours as a Json column takes it. */
export const asJson = (value: object) => value as Prisma.InputJsonObject;

type Column<K extends string> = Record<K, Prisma.JsonValue>;
const read = <T>(value: unknown) => value as T;

/** A plan without its verdicts on candidates. */
export const planOf = (decision: Column<"plan">) => read<Omit<Plan, "candidates">>(decision.plan);
/** All of a plan. Decisions from before there were sheets hold their verdicts in it. */
export function wholePlanOf({
  plan,
  verdicts,
  sheet,
}: Column<"plan" | "verdicts"> & { sheet: Column<"content"> | null }): Plan {
  if (sheet === null) return read<Plan>(plan);
  const candidates = readVerdicts(read<CommonVerdicts>(sheet.content), read<OwnVerdicts>(verdicts));
  return { ...read<Plan>(plan), candidates };
}
/** What `wholePlanOf` reads beside a decision's own columns. */
export const WITH_SHEET = { sheet: { select: { content: true } } } as const;
export const accountStateOf = (decision: Column<"accountState">) => read<AccountState>(decision.accountState);
export const gateResultsOf = (verdict: Column<"results">) => read<GateResult[]>(verdict.results);
/** A review that was stored before a field was added is without it. */
export const reviewOf = (position: Column<"review">) => read<Partial<PositionReview>>(position.review);
export const regimeMemoryOf = (regime: Column<"memory">) => read<RegimeMemory>(regime.memory);
/** Null until a model's text is written. */
export const templatesOf = (told: Column<"sentences">) => read<TemplateSentence[] | null>(told.sentences);
export const recordFactsOf = (told: Column<"facts">) => read<RecordFact[]>(told.facts);
export const selectionMemoryOf = (selection: Column<"memory">) => read<SelectionMemory>(selection.memory);
export const preferencesOf = (backtest: Column<"preferences">) => read<PreferencesView>(backtest.preferences);
/** What each source said, the own one first. */
export const sourceValuesOf = (disagreement: Column<"values">) => read<SourceValue[]>(disagreement.values);
export const triedPreferencesOf = (preview: Column<"draft" | "saved">) => ({
  draft: read<PreferencesView>(preview.draft),
  saved: read<PreferencesView>(preview.saved),
});
/** Null until it is done; `saved` is null where the saved settings were the ones that were tried. */
export const previewResultOf = (preview: Column<"result">) =>
  read<{ draft: PreviewFigures; saved: PreviewFigures | null } | null>(preview.result);
/** Both sides of a grid; their values are those of when it was asked for. */
export function gridAxesOf(grid: Column<"values"> & { rowAxis: GridAxisName; columnAxis: GridAxisName }) {
  const { rows, columns } = read<Record<"rows" | "columns", DecimalText[]>>(grid.values);
  return { rows: { axis: grid.rowAxis, values: rows }, columns: { axis: grid.columnAxis, values: columns } };
}
/** Null until it is done. */
export const gridCellsOf = (grid: Column<"result">) => read<GridCell[][] | null>(grid.result);
/** Null where there is no history. */
export const historyPointsOf = (history: Column<"points">) => read<HistoryPoint[] | null>(history.points);
/** Null until the run is done. */
export const figuresOf = (backtest: Column<"figures">) => read<Statistic[] | null>(backtest.figures);
export const recordOf = (backtest: Column<"record">) => read<BacktestRecord | null>(backtest.record);
/** The parts of a rotation proposal that its plan's row keeps as they are. */
export const proposalOf = (plan: Column<"accounts" | "actions" | "metrics" | "kpiSnapshot">) => ({
  accounts: read<RotationProposal["accounts"]>(plan.accounts),
  actions: read<RotationProposal["actions"]>(plan.actions),
  metrics: read<RotationProposal["metrics"]>(plan.metrics),
  kpiSnapshot: read<RotationProposal["kpiSnapshot"]>(plan.kpiSnapshot),
});
/** Accounts that the planning left out, and why. */
export const leftOutOf = (plan: Column<"leftOut">) => read<Given<typeof rotationApi.readPlan>["leftOut"]>(plan.leftOut);
