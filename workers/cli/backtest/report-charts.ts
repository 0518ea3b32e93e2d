import type { BacktestResult } from "@/lib/domain/engine/backtest-result.ts";
import { indexEquity, universeEquity } from "@/lib/domain/statistics/statistics.ts";
import type { RegimeLabel } from "@/lib/domain/enums.ts";
import { type ChartBand, escapeHtml as safe, lineChart } from "./charts.ts";
import { section } from "./report-table.ts";

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

export function charts(result: BacktestResult): string {
  const dates = result.days.map(({ session }) => session);
  const bands = regimeBands(result);
  const dollars = (value: number) => `$${value.toLocaleString("en-US", { maximumFractionDigits: 2 })}`;
  const whole = (value: number) => `${Number((value * 100).toFixed(2))}%`;
  const equity = lineChart({
    title: "Equity, SPY and the equal-weight universe by session",
    dates,
    bands,
    height: 320,
    axisText: dollars,
    lines: [
      { name: "SPY", color: "var(--muted)", values: indexEquity(result), isDashed: true },
      { name: "Equal-weight universe", color: "var(--muted)", values: universeEquity(result) },
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
        ["SPY, same cash, dividends reinvested (dashed)", "var(--muted)", false],
        ["All stocks in equal parts, likewise", "var(--muted)", false],
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
