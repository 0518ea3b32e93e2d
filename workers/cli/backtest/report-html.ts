import { type Repair, repairText } from "@/lib/domain/engine/backtest-check.ts";
import type { BacktestResult } from "@/lib/domain/engine/backtest-result.ts";
import type { Statistic } from "@/lib/domain/statistics/statistics.ts";
import { statisticText } from "@/lib/domain/statistics/text.ts";
import type { BacktestTables } from "@/lib/domain/statistics/tables.ts";
import { moneyText, quantityText, signedMoneyText } from "@/lib/domain/format.ts";
import { escapeHtml as safe } from "./charts.ts";
import { charts } from "./report-charts.ts";
import { REPORT_STYLE } from "./report-style.ts";
import { REGIME_WORDS, section, table } from "./report-table.ts";
import {
  attributionTable,
  monthTable,
  reasonOf,
  refusalTable,
  regimeOf,
  strategyOf,
  tradeTable,
} from "./report-tables.ts";

export const CAVEAT =
  "Hypothetical result of a backtest. The tape holds the symbols that exist at its end (survivorship), fills come from a model, and past prices are no evidence of an edge. No account was traded.";

const CARDS = [
  "final_equity",
  "total_return",
  "max_drawdown",
  "sharpe",
  "psr",
  "deflated_sharpe",
  "mean_exposure",
  "index_return",
  "universe_return",
  "alpha",
  "alpha_t",
  "beta",
  "beta_t",
  "trades",
  "win_rate",
];

function cards(statistics: readonly Statistic[]): string {
  const items = CARDS.flatMap((id) => statistics.filter((statistic) => statistic.id === id)).map(
    (statistic) =>
      `<div><dt>${safe(statistic.name)}</dt><dd>${safe(statisticText(statistic))}${statistic.reason === null ? "" : `<small>${safe(statistic.reason)}</small>`}</dd></div>`,
  );
  return `<section class="cards"><dl style="display:contents">${items.join("")}</dl></section>`;
}

/** The whole report as one HTML page that asks nothing of the network. */
export function reportHtml(
  result: BacktestResult,
  statistics: readonly Statistic[],
  tables: BacktestTables,
  { parameters, repairs }: { parameters: Record<string, number>; repairs: readonly Repair[] },
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
    ["Earnings gate", config.earningsGate],
    ["Biweekly rotation", config.rotation ?? "off"],
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
    repairs.length === 0
      ? ""
      : `<div class="caveat"><p>The tape had faults; the run went on without them.</p><ul>${repairs.map((repair) => `<li>${safe(repairText(repair))}</li>`).join("")}</ul></div>`,
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
