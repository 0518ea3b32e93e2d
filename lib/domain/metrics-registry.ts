/**
 * Every figure that the product shows or a report prints: what it is, in which unit, and by whose definition. The id of a
 * figure that a function of metrics.ts computes is that function's name. A change of a definition raises the version.
 */
export interface MetricDefinition {
  id: string;
  version: number;
  unit:
    | "USD"
    | "fraction"
    | "percent"
    | "ratio"
    | "bps"
    | "count"
    | "sessions"
    | "probability"
    | "points"
    | "label"
    | "shares";
  name: string;
  definition: string;
  source: string;
}

function metric(
  id: string,
  unit: MetricDefinition["unit"],
  name: string,
  definition: string,
  source = "Tradewind",
  version = 1,
): MetricDefinition {
  return { id, version, unit, name, definition, source };
}

const BAILEY_2012 = "Bailey & López de Prado 2012, The Sharpe Ratio Efficient Frontier";

// oxfmt-ignore
export const METRICS: readonly MetricDefinition[] = [
  // Portfolio
  metric("portfolioValue", "USD", "Total portfolio", "Cash plus market value of all positions, as the broker reports equity"),
  metric("cash", "USD", "Cash", "Settled and unsettled cash at the broker"),
  metric("buyingPower", "USD", "Buying power", "What the broker lets the account buy now"),
  metric("periodPnl", "USD", "P&L of a period", "Change of equity less deposits plus withdrawals, in New York days: since the last close before this day, the last one a week and a month ago, or before the first session of a chosen period; a younger account counts from its first reading, and what it had made before is in the dashboard's Total alone", "Tradewind", 2),
  metric("pnlPercent", "percent", "P&L in percent", "Total P&L over all deposits less withdrawals; no value without deposits"),
  metric("pnlBySession", "USD", "Realized P&L by day", "Realized P&L of closed lots by New York date of the exit"),
  metric("unrealizedPnl", "USD", "Unrealized P&L", "Quantity × (last price − average entry price)"),
  metric("unrealizedPnlPercent", "percent", "Unrealized P&L in percent", "Last price over average entry price − 1"),
  metric("marketValue", "USD", "Market value", "Quantity × last price"),
  metric("grossExposure", "fraction", "Gross exposure", "Σ |market value| over equity"),
  metric("cashBuffer", "fraction", "Cash buffer", "Cash over equity"),
  metric("dayTradeCount", "count", "Day trades", "Turns from buying to selling one symbol within one session, over 5 sessions", "FINRA Rule 4210"),
  // Trades and round trips
  metric("totalTrades", "count", "Total trades", "Entries and exits, filled or not, external orders included; a protective stop or target counts only once it is filled"),
  metric("stocksReviewed", "count", "Reviewed today", "Stocks weighed by the decisions of the market's New York day: each seat of the Top-50 once for each account and look"),
  metric("ordersExecuted", "count", "Executed today", "Orders with at least one fill on the market's New York day, external orders included"),
  metric("totalVolume", "USD", "Total volume", "Σ filled quantity × average price"),
  metric("averageTradeSize", "USD", "Average trade size", "Total volume over the number of trades"),
  metric("fifoPnl", "USD", "Realized P&L of lots", "Proceeds − cost − fees, first in, first out; fees pro rata by shares, the remainder to the last lot"),
  metric("tripOutcome", "label", "Outcome of a round trip", "Flat to flat: |P&L| ≤ $0.005 is even, neither win nor loss"),
  metric("winRate", "fraction", "Win rate", "Wins over wins and losses; break-even trips are left out; no value without either"),
  metric("profitFactor", "ratio", "Profit factor", "Sum of gains over sum of losses; no value without losses"),
  metric("avgWinToLoss", "ratio", "Average win to loss", "Mean win over mean loss of closed round trips"),
  metric("averageWin", "USD", "Average win", "Mean P&L of the closed round trips that won, before fees that the broker charges apart", "Tradewind", 2),
  metric("averageLoss", "USD", "Average loss", "Mean P&L of the closed round trips that lost, before fees that the broker charges apart", "Tradewind", 2),
  metric("expectancy", "USD", "Expectancy", "Mean P&L of all closed round trips, even ones included, before fees that the broker charges apart", "Tradewind", 2),
  metric("timeStopRate", "fraction", "Time-stop rate", "Share of closed round trips that the time stop closed"),
  metric("slippageBps", "bps", "Slippage", "Fill price against the decision price; positive is worse for the account"),
  metric("costBps", "bps", "Trading cost", "Spread/2 + commission + Y·σ_daily·10⁴·√(Q/ADV) one way, sell fees on top", "Almgren et al. 2005, Direct Estimation of Equity Market Impact"),
  metric("meanSlippage", "bps", "Mean slippage", "Σ (fill price − decision price, sales reversed) · shares over Σ decision price · shares, of Tradewind's entries and exits; resting stops and targets are left out"),
  metric("tradingFees", "USD", "Fees", "Fees of fills, and fees that the broker charged apart from trades"),
  metric("annualTurnover", "ratio", "Turnover a year", "½·Σ bought and sold value over the mean closing equity, · 252/sessions"),
  metric("meanExposure", "fraction", "Mean exposure", "Mean over sessions of the positions' value at the last reading before the close, over the closing equity"),
  metric("turnover", "fraction", "Turnover", "One way: ½·Σ|Δw| over all names"),
  // Returns
  metric("totalReturn", "fraction", "Total return", "Last equity over the first, less flows, − 1"),
  metric("timeWeightedReturn", "fraction", "Time-weighted return", "Product of sub-period growths between flows, − 1", "GIPS 2020"),
  metric("benchmarkReturn", "fraction", "SPY over the same sessions", "Total return of SPY, dividends reinvested and splits adjusted, without costs: from the close before the first session to the same instant as the account's return beside it, times without money left out", "Tradewind", 2),
  metric("equityCurve", "ratio", "Equity curve", "Growth of 1 by daily returns, the starting point included"),
  metric("cagr", "fraction", "CAGR", "End growth to the power of 252/n, − 1; no value below 252 returns"),
  metric("volatility", "fraction", "Volatility", "SD (ddof 1) of daily returns · √252; no value below 20 returns"),
  metric("maxDrawdown", "fraction", "Maximum drawdown", "Deepest fall from a peak; the starting point is a peak; ≤ 0"),
  metric("bookVolatility", "fraction", "Book volatility", "SD(ddof 1)·√252 of the last 60 daily returns; no value below 60"),
  metric("sharpe", "ratio", "Sharpe ratio", "mean(r − rf)/SD(ddof 1)·√252; no value below 60 returns", "Sharpe 1994"),
  metric("sortino", "ratio", "Sortino ratio", "mean(r − rf)/√(Σ min(r − rf, 0)²/n)·√252; no value below 60 returns", "Sortino & Price 1994"),
  metric("calmar", "ratio", "Calmar ratio", "CAGR over |maximum drawdown|", "Young 1991"),
  metric("skewness", "ratio", "Skewness", "Population third standardised moment"),
  metric("kurtosis", "ratio", "Kurtosis", "Population fourth standardised moment, not excess"),
  metric("probabilisticSharpe", "probability", "Probabilistic Sharpe ratio", "Probability that the true Sharpe ratio exceeds a benchmark, skew and fat tails considered", BAILEY_2012),
  metric("deflatedSharpe", "probability", "Deflated Sharpe ratio", "Probabilistic Sharpe ratio against what the best of all trials would show by luck", "Bailey & López de Prado 2014, The Deflated Sharpe Ratio"),
  metric("minTrackRecord", "sessions", "Minimum track record", "Fewest returns after which the Sharpe ratio is above zero at 95 %", BAILEY_2012),
  // Selection and risk
  metric("composite", "points", "Composite score", "0.45 technical + 0.25 liquidity + 0.30 sentiment, each 0 … 100; a missing factor contributes 0"),
  metric("liquidityScore", "points", "Liquidity score", "100·(0.7·percentile of ln ADV + 0.3·(1 − percentile of spread))"),
  metric("technicalScore", "points", "Technical score", "100·mean of risk-adjusted momentum, trend, 52-week proximity, RSI band and calm", "Jegadeesh & Titman 1993; George & Hwang 2004"),
  metric("sentimentScore", "points", "Sentiment score", "50 + 50·(n/(n + 3))·weighted mean of news scores; 50 without news"),
  metric("confidence", "fraction", "Confidence", "0.5·composite/100 + 0.5·the strategy's own percentile"),
  metric("expectedMove", "fraction", "Expected move at earnings", "Mean |close-to-close reaction| to the last 8 reports, shrunk to the sector's where fewer"),
  metric("volumeRatio", "ratio", "Volume ratio", "Volume over the mean of the 20 sessions before"),
  metric("kellyBet", "fraction", "Kelly bet", "Lower 90 % bound of mean(R)/mean(R²), R = P&L over initial risk; a quarter of it may be at risk", "Kelly 1956; Thorp 2006"),
  metric("volatilityTargetWeight", "fraction", "Volatility-target weight", "(15 %/√20)/σ of the name"),
];
