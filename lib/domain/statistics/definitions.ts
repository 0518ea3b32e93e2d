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
  index_return:
    "SPY held with all the cash from the close before the first session to the last close, with the dividends that the market's history lists reinvested, without costs",
  index_drawdown: "Deepest fall of that holding from a peak",
  index_sharpe: "Sharpe ratio of that holding's daily returns",
  alpha:
    "Return a year of 252 sessions that SPY does not explain: the constant of a regression of daily returns on SPY's",
  alpha_t: "That constant over its standard error; within ±2 it cannot be told from zero",
  beta: "Return of the account for each of SPY's, by the same regression",
  beta_t: "That slope over its standard error",
  universe_return:
    "All stocks of the market in equal parts, rebalanced each session, over the same sessions, dividends reinvested, without costs",
  universe_drawdown: "Deepest fall of that holding from a peak",
  universe_sharpe: "Sharpe ratio of that holding's daily returns",
  universe_alpha:
    "Return a year of 252 sessions that the equal-weight universe does not explain: it holds the same survivors as the backtest",
  universe_alpha_t: "That constant over its standard error; within ±2 it cannot be told from zero",
  universe_beta: "Return of the account for each of the equal-weight universe's, by the same regression",
  universe_beta_t: "That slope over its standard error",
};

/** Until dividends were counted and the day before the first was the start: what runs of that time hold. */
const INDEX_PRICE_ONLY = "SPY bought with all the cash at the first close and held; dividends and costs left out";

const byId = new Map<string, MetricDefinition>(METRICS.map((metric) => [metric.id, metric]));

/** Of a figure that `statisticsOf` gives, or gave under another name. Throws a RangeError for an undefined one. */
export function definitionOf({ id: statistic, name }: { id: string; name: string }): FigureDefinition {
  const metric = byId.get(REGISTERED[statistic] ?? "");
  if (metric) return { definition: metric.definition, source: metric.source, version: metric.version };
  const definition = OWN[statistic];
  if (definition === undefined) throw new RangeError(`the figure ${statistic} has no definition`);
  if (statistic === "index_return" && name.endsWith("price only"))
    return { definition: INDEX_PRICE_ONLY, source: "Tradewind", version: 1 };
  return { definition, source: "Tradewind", version: statistic.startsWith("index_") ? 2 : 1 };
}
