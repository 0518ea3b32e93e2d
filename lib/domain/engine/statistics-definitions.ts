import { type MetricDefinition, METRICS } from "../metrics-registry.ts";

/** What a figure of a backtest means, for people. */
export interface FigureDefinition {
  definition: string;
  source: string;
  version: number;
}

/** Figures that the registry of metrics defines, under its own names. */
const REGISTERED: Readonly<Record<string, string>> = {
  total_return: "totalReturn",
  cagr: "cagr",
  max_drawdown: "maxDrawdown",
  sharpe: "sharpe",
  psr: "probabilisticSharpe",
  deflated_sharpe: "deflatedSharpe",
  min_track_record: "minTrackRecord",
  sortino: "sortino",
  calmar: "calmar",
  win_rate: "winRate",
  profit_factor: "profitFactor",
};

/** Figures that only a backtest has. */
const OWN: Readonly<Record<string, string>> = {
  final_equity: "Cash plus the value of all positions at the last close",
  trades: "Round trips, flat to flat, that were closed; what is still held is not one",
  mean_win: "Mean of P&L after fees over the entry value, of round trips that won",
  mean_loss: "Mean of P&L after fees over the entry value, of round trips that lost",
  mean_held: "Mean number of sessions from entry to exit",
  mean_exposure: "Mean of the value of positions over equity, at the closes",
  turnover: "½·Σ (bought and sold value) over mean equity, in a year of 252 sessions",
  index_return: "SPY bought with all the cash at the first close and held; dividends and costs left out",
  index_drawdown: "Deepest fall of that holding from a peak",
  index_sharpe: "Sharpe ratio of that holding's daily returns",
};

const byId = new Map<string, MetricDefinition>(METRICS.map((metric) => [metric.id, metric]));

/** Of a figure that `statisticsOf` gives. Throws a RangeError for one that nobody defined. */
export function definitionOf(statistic: string): FigureDefinition {
  const metric = byId.get(REGISTERED[statistic] ?? "");
  if (metric) return { definition: metric.definition, source: metric.source, version: metric.version };
  const definition = OWN[statistic];
  if (definition === undefined) throw new RangeError(`the figure ${statistic} has no definition`);
  return { definition, source: "Tradewind", version: 1 };
}
