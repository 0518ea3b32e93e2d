import type { Given } from "@/lib/contracts/endpoint.ts";
import type { backtestsApi } from "@/lib/contracts/backtests.ts";
import { type Answer, answerOf, answersOfParts, type Holding } from "@/lib/domain/backtest/answer.ts";
import { bandText, capacityText, luckText, triesText, verdictText } from "@/lib/domain/backtest/answer-text.ts";
import { seedOf } from "@/lib/domain/backtest/noise.ts";
import type { BacktestRecord } from "@/lib/domain/backtest/record.ts";
import { seriesOf } from "@/lib/domain/backtest/series.ts";
import { BLOCK_SESSIONS, RESAMPLES } from "@/lib/domain/statistics/bootstrap.ts";

type AnswerView = NonNullable<Given<typeof backtestsApi.read>["result"]>["answer"];

/** Whether the run beat the market, from its stored days alone: the same record gives the same answer. `tries` are those of today. */
export function answerView(record: BacktestRecord, cash: string, tries: number): AnswerView {
  const series = seriesOf(record, cash);
  const seed = seedOf(record.days.equity.join(" "));
  const answer = answerOf(series, seed);
  const { regression, indexSessions, band } = answer;
  return {
    verdict: verdictText(answer),
    luck: luckText(answer),
    tries: answer.isJudged ? triesText(tries) : null,
    holdings: holdingsView(record, answer),
    exposure: answer.exposure,
    regression: regression && {
      alpha: regression.alpha,
      beta: regression.beta,
      alphaT: regression.alphaT,
      sessions: indexSessions,
    },
    band: band && { estimate: band.estimate, low: band.low, high: band.high },
    bandText: bandText(answer),
    method: { blockSessions: BLOCK_SESSIONS, resamples: RESAMPLES },
    parts: answersOfParts(series, seed).map(({ from, to, answer: of }) => ({
      from: record.days.sessions[from]!,
      to: record.days.sessions[to]!,
      strategy: of.strategy.totalReturn,
      index: of.index?.totalReturn ?? null,
      matched: of.matched?.totalReturn ?? null,
      luck: luckText(of),
    })),
    spreads: record.spreads ?? null,
    capacity: record.largest ? capacityText(record.largest, cash) : null,
    missing: missingOf(record),
  };
}

function holdingsView(record: BacktestRecord, answer: Answer): AnswerView["holdings"] {
  const row = (name: string, holding: Holding | null, reason: string) =>
    holding === null
      ? { name, totalReturn: null, annual: null, maxDrawdown: null, reason }
      : { name, ...holding, reason: null };
  const noIndex = "SPY has no price in some of the sessions";
  const noUniverse =
    record.days.universe === undefined ? "Not kept when this run was made" : "No stock traded in some of the sessions";
  return [
    row("Strategy", answer.strategy, ""),
    row("SPY", answer.index, noIndex),
    row("SPY at the same exposure", answer.matched, noIndex),
    row("Equal-weight universe", answer.universe, noUniverse),
  ];
}

/** Of runs that were stored before something was kept, or that have nothing of it. */
function missingOf({ days, spreads, largest }: BacktestRecord): string[] {
  return [
    ...(days.universe === undefined
      ? [
          "SPY is its price alone: when this run was made, dividends of SPY and the equal-weight universe were not kept.",
        ]
      : []),
    ...(spreads === undefined
      ? [
          "When this run was made, it was not repeated at wider spreads, and its largest order was not kept. Run it again to have both.",
        ]
      : []),
    ...(largest === null ? ["Capacity: the run traded nothing whose daily volume is known."] : []),
  ];
}
