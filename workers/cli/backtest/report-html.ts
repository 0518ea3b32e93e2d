import type { BacktestResult, BacktestTrade } from "@/lib/domain/engine/backtest-result.ts";
import type { RegimeLabel } from "@/lib/domain/engine/plan.ts";
import { GATE_WORDS, type GateCode, REASON_TEXT } from "@/lib/domain/engine/reasons.ts";
import { indexEquity, type Statistic } from "@/lib/domain/engine/statistics.ts";
import type { Attribution, BacktestTables, MonthlyReturn } from "@/lib/domain/engine/statistics-tables.ts";
import { moneyText, quantityText, signedMoneyText, signedPercentText } from "@/lib/domain/format.ts";
import { escapeHtml as safe, type ChartBand, lineChart } from "./charts.ts";
import { REPORT_STYLE } from "./report-style.ts";
import { statisticText } from "./summary.ts";

export const CAVEAT =
  "Hypothetical result of a backtest. The tape holds the symbols that exist at its end (survivorship), fills come from a model, and past prices are no evidence of an edge. No account was traded.";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const REGIME_WORDS: Record<RegimeLabel, string> = { risk_on: "Risk on", neutral: "Neutral", risk_off: "Risk off" };
const CARDS = [
  "final_equity",
  "total_return",
  "max_drawdown",
  "sharpe",
  "psr",
  "deflated_sharpe",
  "trades",
  "win_rate",
];

const percentText = (fraction: number) => signedPercentText(fraction * 100);
const tone = (value: number) => (value > 0 ? "gain" : value < 0 ? "loss" : "");

interface Column<T> {
  head: string;
  isNumber?: boolean;
  cell: (row: T) => string;
  toneOf?: (row: T) => number;
}

function table<T>(columns: readonly Column<T>[], rows: readonly T[]): string {
  const head = columns
    .map(({ head: name, isNumber }) => `<th${isNumber ? ' class="n"' : ""}>${safe(name)}</th>`)
    .join("");
  const body = rows
    .map((row) => {
      const cells = columns.map(({ cell, isNumber, toneOf }) => {
        const classes = [isNumber ? "n" : "", toneOf === undefined ? "" : tone(toneOf(row))].filter(Boolean).join(" ");
        return `<td${classes === "" ? "" : ` class="${classes}"`}>${safe(cell(row))}</td>`;
      });
      return `<tr>${cells.join("")}</tr>`;
    })
    .join("");
  return `<div class="scroll" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

function section(title: string, content: string, isLong = false): string {
  return `<section${isLong ? ' class="long"' : ""}><h2>${safe(title)}</h2>${content}</section>`;
}

function cards(statistics: readonly Statistic[]): string {
  const items = CARDS.flatMap((id) => statistics.filter((statistic) => statistic.id === id)).map(
    (statistic) =>
      `<div><dt>${safe(statistic.name)}</dt><dd>${safe(statisticText(statistic))}${statistic.reason === null ? "" : `<small>${safe(statistic.reason)}</small>`}</dd></div>`,
  );
  return `<section class="cards"><dl style="display:contents">${items.join("")}</dl></section>`;
}

/** Stretches of sessions in which the regime was not risk on. */
function regimeBands({ days }: BacktestResult): ChartBand[] {
  const bands: (ChartBand & { regime: RegimeLabel })[] = [];
  for (const [i, { regime }] of days.entries()) {
    const last = bands.at(-1);
    if (last !== undefined && last.to === i - 1 && last.regime === regime) last.to = i;
    else if (regime !== "risk_on")
      bands.push({ from: i, to: i, regime, color: regime === "risk_off" ? "var(--off)" : "var(--neutral)" });
  }
  return bands;
}

function legend(items: readonly [string, string, boolean][]): string {
  return `<ul class="legend">${items.map(([name, color, isBlock]) => `<li><i${isBlock ? ' class="block"' : ""} style="background:${color}"></i>${safe(name)}</li>`).join("")}</ul>`;
}

function charts(result: BacktestResult): string {
  const dates = result.days.map(({ session }) => session);
  const bands = regimeBands(result);
  const dollars = (value: number) => `$${value.toLocaleString("en-US", { maximumFractionDigits: 2 })}`;
  const whole = (value: number) => `${Number((value * 100).toFixed(2))}%`;
  const equity = lineChart({
    title: "Equity and SPY by session",
    dates,
    bands,
    height: 320,
    axisText: dollars,
    lines: [
      { name: "SPY", color: "var(--muted)", values: indexEquity(result), isDashed: true },
      { name: "Equity", color: "var(--accent)", values: result.days.map((day) => Number(day.equity)) },
    ],
  });
  const drawdown = lineChart({
    title: "Drawdown by session",
    dates,
    height: 150,
    axisText: whole,
    includes: [0, -0.01],
    lines: [{ name: "Drawdown", color: "var(--loss)", values: result.days.map((day) => day.drawdown), isFilled: true }],
  });
  const exposure = lineChart({
    title: "Gross exposure by session",
    dates,
    bands,
    height: 170,
    axisText: whole,
    includes: [0, 0.25],
    lines: [
      { name: "Exposure", color: "var(--accent)", values: result.days.map((day) => day.exposure), isFilled: true },
    ],
  });
  const regimes: [string, string, boolean][] = [
    ["Neutral regime", "var(--neutral)", true],
    ["Risk-off regime", "var(--off)", true],
  ];
  return [
    section(
      "Equity",
      legend([
        ["This backtest", "var(--accent)", false],
        ["SPY, same cash, price only", "var(--muted)", false],
        ...regimes,
      ]) +
        equity +
        `<h2 style="margin-top:14px">Drawdown</h2>${drawdown}`,
    ),
    section(
      "Exposure and regime",
      legend([["Positions over equity, at the close", "var(--accent)", false], ...regimes]) + exposure,
    ),
  ].join("");
}

function monthTable(months: readonly MonthlyReturn[]): string {
  const years = [...new Set(months.map(({ year }) => year))];
  const cellOf = (value: number | null) => {
    if (value === null) return "<td></td>";
    const strength = Math.min(0.45, Math.abs(value) * 6).toFixed(2);
    const color = value < 0 ? "var(--loss-rgb)" : "var(--gain-rgb)";
    return `<td style="background:rgba(${color},${strength})">${safe(percentText(value))}</td>`;
  };
  const rows = years.map((year) => {
    const own = months.filter((row) => row.year === year);
    const whole = own.reduce((growth, { value }) => growth * (1 + value), 1) - 1;
    const cells = MONTHS.map((_, i) => cellOf(own.find(({ month }) => month === i + 1)?.value ?? null));
    return `<tr><th>${year}</th>${cells.join("")}<td><b class="${tone(whole)}">${safe(percentText(whole))}</b></td></tr>`;
  });
  const head = ["Year", ...MONTHS, "All"].map((name) => `<th>${name}</th>`).join("");
  return `<div class="scroll" tabindex="0"><table class="months"><thead><tr>${head}</tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}

function attributionTable(head: string, rows: readonly Attribution[], nameOf: (group: string) => string): string {
  if (rows.length === 0) return '<p class="muted">No round trip was closed.</p>';
  return table<Attribution>(
    [
      { head, cell: ({ group }) => nameOf(group) },
      { head: "Trades", isNumber: true, cell: ({ trades }) => String(trades) },
      {
        head: "P&L",
        isNumber: true,
        cell: ({ pnl }) => signedMoneyText(Number(pnl)),
        toneOf: ({ pnl }) => Number(pnl),
      },
      { head: "Fees", isNumber: true, cell: ({ fees }) => moneyText(Number(fees)) },
      {
        head: "Won",
        isNumber: true,
        cell: ({ winRate }) => (winRate === null ? "—" : `${(winRate * 100).toFixed(1)}%`),
      },
      { head: "Mean", isNumber: true, cell: ({ meanFraction }) => percentText(meanFraction) },
    ],
    rows,
  );
}

const reasonOf = (group: string) => REASON_TEXT[group as keyof typeof REASON_TEXT] ?? group;
const regimeOf = (group: string) => REGIME_WORDS[group as RegimeLabel] ?? group;
const strategyOf = (group: string) => group.replaceAll("_", " ");

function tradeTable(trades: readonly BacktestTrade[]): string {
  if (trades.length === 0) return '<p class="muted">No round trip was closed.</p>';
  return table<BacktestTrade>(
    [
      { head: "Symbol", cell: ({ symbol }) => symbol },
      { head: "Opened", cell: ({ opened }) => opened },
      { head: "Closed", cell: ({ closed }) => closed },
      { head: "Held", isNumber: true, cell: ({ sessionsHeld }) => String(sessionsHeld) },
      { head: "Shares", isNumber: true, cell: ({ qty }) => quantityText(Number(qty)) },
      { head: "Entry", isNumber: true, cell: ({ entryPrice }) => moneyText(Number(entryPrice)) },
      { head: "Exit", isNumber: true, cell: ({ exitPrice }) => moneyText(Number(exitPrice)) },
      {
        head: "P&L",
        isNumber: true,
        cell: ({ pnl }) => signedMoneyText(Number(pnl)),
        toneOf: ({ pnl }) => Number(pnl),
      },
      { head: "Return", isNumber: true, cell: (row) => percentText(row.pnlFraction), toneOf: (row) => row.pnlFraction },
      { head: "Why sold", cell: ({ exitReason }) => REASON_TEXT[exitReason] },
      { head: "Regime", cell: ({ entryRegime }) => REGIME_WORDS[entryRegime] },
    ],
    trades,
  );
}

function refusalTable({ days }: BacktestResult): string {
  const counts = new Map<GateCode, number>();
  for (const { refusals } of days) {
    for (const [code, count] of Object.entries(refusals) as [GateCode, number][])
      counts.set(code, (counts.get(code) ?? 0) + count);
  }
  const rows = [...counts].sort((a, b) => b[1] - a[1]);
  if (rows.length === 0) return '<p class="muted">No signal was refused.</p>';
  return table<[GateCode, number]>(
    [
      { head: "First gate that refused", cell: ([code]) => GATE_WORDS[code] },
      { head: "Signals", isNumber: true, cell: ([, count]) => String(count) },
    ],
    rows,
  );
}

/** The whole report as one HTML page that asks nothing of the network. */
export function reportHtml(
  result: BacktestResult,
  statistics: readonly Statistic[],
  tables: BacktestTables,
  parameters: Record<string, number>,
): string {
  const { config, market, symbolCount, days } = result;
  const { preferences } = config;
  const { costs } = tables;
  const changed = Object.entries(parameters).map(([path, value]) => `${path} = ${value}`);
  const title = `Backtest ${strategyOf(preferences.strategy)}, ${config.from} to ${config.to}`;
  const dollars = (value: string) => moneyText(Number(value));
  const facts: [string, string][] = [
    ["Tape", `${market}, ${symbolCount} symbols`],
    ["Sessions", `${days.length}, ${config.from} to ${config.to}`],
    ["Cash at the start", dollars(config.cash)],
    ["Policy", [config.policyVersion, ...changed].join(", ")],
    ["Engine", config.engineVersion],
    [
      "Order size, largest position",
      `${dollars(preferences.defaultOrderSize)}, ${dollars(preferences.maxPositionValue)}`,
    ],
    ["Positions at most", String(preferences.maxPositions)],
    ["Target, stop", `${preferences.profitTarget} %, ${preferences.stopLoss} %`],
    ["Risk tolerance, risk level", `${preferences.riskTolerance}, ${preferences.riskLevel}`],
    ["Seed", String(config.seed)],
  ];
  const costRows: [string, string][] = [
    ["Half the spread", costs.spread],
    ["Market impact", costs.impact],
    ["Commission and regulatory fees", costs.fees],
    ["Together", costs.total],
  ];
  const body = [
    `<header><h1>${safe(title)}</h1><span class="tag">BACKTEST</span></header>`,
    `<p class="caveat">${safe(CAVEAT)}</p>`,
    result.halted === null
      ? ""
      : `<p class="caveat">Entries stopped on ${result.halted.session}: ${safe(result.halted.reason)}. Nobody resumes a backtest.</p>`,
    cards(statistics),
    charts(result),
    section("Returns by month", monthTable(tables.monthly)),
    '<div class="two">',
    section(
      "All figures",
      table<Statistic>(
        [
          { head: "Figure", cell: ({ name }) => name },
          { head: "Value", isNumber: true, cell: statisticText },
        ],
        statistics,
      ),
    ),
    section(
      "What it was run with",
      table<[string, string]>(
        [
          { head: "Setting", cell: ([name]) => name },
          { head: "Value", cell: ([, value]) => value },
        ],
        facts,
      ),
    ),
    section("By strategy", attributionTable("Strategy", tables.byStrategy, strategyOf)),
    section("By regime at entry", attributionTable("Regime", tables.byRegimeAtEntry, regimeOf)),
    section(
      "While the regime stood",
      table(
        [
          { head: "Regime", cell: ({ regime }) => REGIME_WORDS[regime] },
          { head: "Sessions", isNumber: true, cell: ({ sessions }) => String(sessions) },
          {
            head: "P&L",
            isNumber: true,
            cell: ({ pnl }) => signedMoneyText(Number(pnl)),
            toneOf: ({ pnl }) => Number(pnl),
          },
          { head: "Mean exposure", isNumber: true, cell: ({ meanExposure }) => `${(meanExposure * 100).toFixed(1)}%` },
        ],
        tables.regimeDays,
      ),
    ),
    section(
      `Costs${costs.totalBps === null ? "" : `: ${costs.totalBps.toFixed(1)} bps of what was traded`}`,
      table<[string, string]>(
        [
          { head: "Part", cell: ([name]) => name },
          { head: "USD", isNumber: true, cell: ([, value]) => dollars(value) },
        ],
        costRows,
      ),
    ),
    section("By exit", attributionTable("Exit", tables.byExit, reasonOf)),
    section(
      "By sector",
      attributionTable("Sector", tables.bySector, (group) => group),
    ),
    section("Why signals were not traded", refusalTable(result)),
    section(
      "Still held at the end",
      result.openPositions.length === 0
        ? '<p class="muted">Nothing.</p>'
        : table(
            [
              { head: "Symbol", cell: ({ symbol }) => symbol },
              { head: "Opened", cell: ({ opened }) => opened },
              { head: "Shares", isNumber: true, cell: ({ qty }) => quantityText(Number(qty)) },
              { head: "Cost", isNumber: true, cell: ({ avgPrice }) => dollars(avgPrice) },
              { head: "Last", isNumber: true, cell: ({ lastPrice }) => dollars(lastPrice) },
              {
                head: "Unrealised",
                isNumber: true,
                cell: ({ unrealised }) => signedMoneyText(Number(unrealised)),
                toneOf: ({ unrealised }) => Number(unrealised),
              },
            ],
            result.openPositions,
          ),
    ),
    "</div>",
    section(`Round trips (${result.trades.length})`, tradeTable(result.trades), true),
    `<footer>${safe(CAVEAT)} Sharpe and its kin are of daily returns, √252, without a risk-free rate. Deflated Sharpe: Bailey and López de Prado, 2014.</footer>`,
  ].join("\n");
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,"><title>${safe(title)}</title><style>${REPORT_STYLE}</style></head>
<body><main>${body}</main></body></html>
`;
}
