import type { ReactNode } from "react";
import { countText, dateText, quantityText, ratioText, shareText, signedPercentText } from "@/lib/domain/format.ts";
import { MARKET_LABEL } from "@/lib/domain/insight/market-text.ts";
import { STRATEGIES } from "@/lib/domain/strategies/strategies.ts";
import { EnvironmentBadge } from "../../_ui/badge.tsx";
import { Bar } from "../../_ui/bar.tsx";
import { Card } from "../../_ui/card.tsx";
import { Definition } from "../../_ui/definition.tsx";
import { Money } from "../../_ui/money.tsx";
import { Time } from "../../_ui/time.tsx";
import { type Result, type Run, spanText } from "./labels.ts";
import { SmallTable } from "./small-table.tsx";

const badge = <EnvironmentBadge environment="BACKTEST" />;

/** Which gates kept candidates out, over all sessions. */
export function Refusals({ refusals }: { refusals: Result["refusals"] }) {
  const total = refusals.reduce((sum, { count }) => sum + count, 0);
  const most = [...refusals].sort((a, b) => b.count - a.count);
  return (
    <Card title={`Refused candidates (${countText(total)})`} aside={badge}>
      {most.length === 0 ? (
        <p className="text-sm text-muted">No rule refused a candidate.</p>
      ) : (
        <ul className="flex flex-col gap-2 text-sm">
          {most.map(({ gate, word, text, count }) => (
            <li key={gate} className="flex items-center justify-between gap-3">
              <span>
                <span className="inline-block first-letter:uppercase">{word}</span>{" "}
                <Definition of={word}>{text}</Definition>
              </span>
              <Bar label={word} fraction={count / total} text={countText(count)} />
            </li>
          ))}
        </ul>
      )}
      <p className="mt-3 text-xs text-muted">
        A candidate counts once per session, under the first rule that refused it.
      </p>
    </Card>
  );
}

export function Costs({ costs }: { costs: Result["costs"] }) {
  const rows: [string, number][] = [
    ["Half the spread", costs.spread],
    ["Market impact", costs.impact],
    ["Commission and regulatory fees", costs.fees],
    ["Total", costs.total],
  ];
  return (
    <Card title="Costs" aside={badge}>
      <SmallTable
        label="Costs"
        heads={["Part", "Paid"]}
        rows={rows.map(([name, value]) => ({ key: name, cells: [name, <Money key="paid" value={value} />] }))}
      />
      {costs.totalBps !== null && (
        <p className="mt-3 text-xs text-muted">{ratioText(costs.totalBps, 1)} bps of everything bought and sold.</p>
      )}
    </Card>
  );
}

const shareOf = (value: number | null) => (value === null ? "—" : shareText(value));

function attributionRows(rows: Result["byExit"], wordOf: (group: string) => string) {
  return rows.map(({ group, trades, pnl, winRate, meanFraction }) => ({
    key: group,
    cells: [
      wordOf(group),
      countText(trades),
      <Money key="pnl" value={pnl} isChange />,
      shareOf(winRate),
      signedPercentText(meanFraction * 100),
    ],
  }));
}

/** Round trips by what ended them, by sector and by regime; equity by regime. */
export function Attributions({ result }: { result: Result }) {
  const heads = ["Round trips", "P&L", "Won", "Mean"];
  const same = (group: string) => group;
  const regimeLabel = (group: string) => MARKET_LABEL[group as keyof typeof MARKET_LABEL];
  if (result.trips.length === 0) return null;
  return (
    <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
      <Card title="By exit" aside={badge}>
        <SmallTable label="By exit" heads={["Exit", ...heads]} rows={attributionRows(result.byExit, same)} />
      </Card>
      <Card title="By sector" aside={badge}>
        <SmallTable label="By sector" heads={["Sector", ...heads]} rows={attributionRows(result.bySector, same)} />
      </Card>
      <Card title="By market at purchase" aside={badge}>
        <SmallTable
          label="By market at purchase"
          heads={["Market", ...heads]}
          rows={attributionRows(result.byRegimeAtEntry, regimeLabel)}
        />
      </Card>
      <Card title="By market state" aside={badge}>
        <SmallTable
          label="By market state"
          heads={["Market", "Sessions", "P&L", "Mean exposure"]}
          rows={result.regimeDays.map(({ regime, sessions, pnl, meanExposure }) => ({
            key: regime,
            cells: [
              MARKET_LABEL[regime],
              countText(sessions),
              <Money key="pnl" value={pnl} isChange />,
              shareOf(meanExposure),
            ],
          }))}
        />
      </Card>
    </div>
  );
}

export function StillHeld({ positions }: { positions: Result["openPositions"] }) {
  return (
    <Card title={`Still held at the end (${countText(positions.length)})`} aside={badge}>
      <SmallTable
        label="Still held at the end"
        heads={["Symbol", "Since", "Quantity", "Average price", "Last price", "Unrealized"]}
        rows={positions.map(({ symbol, opened, quantity, averagePrice, lastPrice, unrealised }) => ({
          key: symbol,
          cells: [
            symbol,
            dateText(opened),
            quantityText(quantity),
            <Money key="average" value={averagePrice} />,
            <Money key="last" value={lastPrice} />,
            <Money key="unrealised" value={unrealised} isChange />,
          ],
        }))}
      />
    </Card>
  );
}

/** What the run was asked for, and under what it ran. */
export function Settings({ run, result }: { run: Run; result: Result }) {
  const { settings } = run;
  const facts: [string, ReactNode][] = [
    ["Strategy", STRATEGIES[run.strategy].label],
    ["Dates", spanText(run)],
    ["Sessions, stocks", `${countText(result.days.length)}, ${countText(result.symbolCount)}`],
    ["Cash", <Money key="cash" value={run.cash} />],
    ["Risk tolerance, level", `${settings.riskTolerance}, ${settings.riskLevel.toLowerCase()}`],
    ["Max positions", settings.maxPositions],
    ["Max position value", <Money key="value" value={settings.maxPositionValue} />],
    ["Default order size", <Money key="size" value={settings.defaultOrderSize} />],
    ["Profit target, stop loss", `${settings.profitTarget}%, ${settings.stopLoss}%`],
    ["Policy, engine", `${run.policyVersion}, ${result.engineVersion}`],
    ["Run at", run.finishedAt === null ? "—" : <Time key="at" at={run.finishedAt} />],
  ];
  return (
    <Card title="Settings of this run">
      <SmallTable
        label="Settings of this run"
        heads={["Setting", "Value"]}
        rows={facts.map(([name, value]) => ({ key: name, cells: [name, value] }))}
      />
    </Card>
  );
}
