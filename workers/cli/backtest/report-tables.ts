import type { BacktestResult, BacktestTrade } from "@/lib/domain/engine/backtest-result.ts";
import { GATE_OF, type GateCode } from "@/lib/domain/gates/gates.ts";
import { REASON_TEXT } from "@/lib/domain/engine/reasons.ts";
import type { Attribution, MonthlyReturn } from "@/lib/domain/statistics/tables.ts";
import type { RegimeLabel } from "@/lib/domain/enums.ts";
import { moneyText, quantityText, signedMoneyText } from "@/lib/domain/format.ts";
import { escapeHtml as safe } from "./charts.ts";
import { percentText, REGIME_WORDS, table, tone } from "./report-table.ts";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

export function monthTable(months: readonly MonthlyReturn[]): string {
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

export function attributionTable(
  head: string,
  rows: readonly Attribution[],
  nameOf: (group: string) => string,
): string {
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

export const reasonOf = (group: string) => REASON_TEXT[group as keyof typeof REASON_TEXT] ?? group;
export const regimeOf = (group: string) => REGIME_WORDS[group as RegimeLabel] ?? group;
export const strategyOf = (group: string) => group.replaceAll("_", " ");

export function tradeTable(trades: readonly BacktestTrade[]): string {
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

export function refusalTable({ days }: BacktestResult): string {
  const counts = new Map<GateCode, number>();
  for (const { refusals } of days) {
    for (const [code, count] of Object.entries(refusals) as [GateCode, number][])
      counts.set(code, (counts.get(code) ?? 0) + count);
  }
  const rows = [...counts].sort((a, b) => b[1] - a[1]);
  if (rows.length === 0) return '<p class="muted">No signal was refused.</p>';
  return table<[GateCode, number]>(
    [
      { head: "First gate that refused", cell: ([code]) => GATE_OF[code].label },
      { head: "Signals", isNumber: true, cell: ([, count]) => String(count) },
    ],
    rows,
  );
}
