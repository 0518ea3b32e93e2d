import { countText, easternText, signedPercentText } from "@/lib/domain/format.ts";
import type { ReactNode } from "react";
import { Card } from "../../_ui/card.tsx";
import { Money } from "../../_ui/money.tsx";
import { Stat } from "../../_ui/stat.tsx";
import { SymbolLink } from "../../_ui/symbol-link.tsx";
import type { Week } from "./week-screen.tsx";

type Figures = NonNullable<Week["figures"]>;

/** The figures of the mail, and what was paid for them. */
export function WeekFigures({ figures, environment }: { figures: Figures; environment: Week["environment"] }) {
  const { equityStart, equityEnd, netDeposits, realizedPnl, value, spy, bought, sold, fees } = figures;
  const { wins, losses, scratches, best, worst, exits, halts } = figures;
  const stats: { label: string; value: ReactNode; note?: ReactNode }[] = [
    { label: "Equity at the start", value: equityStart === null ? "Opened this week" : <Money value={equityStart} /> },
    { label: "Equity at the end", value: <Money value={equityEnd} /> },
    ...(netDeposits === 0
      ? []
      : [{ label: "Deposits less withdrawals", value: <Money value={netDeposits} isChange /> }]),
    {
      label: "Return beside SPY",
      value: value === null ? "—" : signedPercentText(100 * value),
      note: spy === null ? "SPY's return of these sessions is not known" : `SPY ${signedPercentText(100 * spy)}`,
    },
    { label: "Realized by sales", value: <Money value={realizedPnl} isChange /> },
    { label: "Purchases", value: countText(bought.orders), note: <Money value={bought.value} /> },
    { label: "Sales", value: countText(sold.orders), note: <Money value={sold.value} /> },
    { label: "Fees", value: <Money value={fees} /> },
    {
      label: "Round trips",
      value: countText(wins + losses + scratches),
      note: `${wins} won, ${losses} lost, ${scratches} even`,
    },
    ...(best === null ? [] : [tripStat(worst === null ? "The round trip" : "Best round trip", best)]),
    ...(worst === null ? [] : [tripStat("Worst round trip", worst)]),
  ];
  return (
    <Card title={environment === "PRACTICE" ? "Figures of the practice market, no money is at stake" : "Figures"}>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-5 lg:grid-cols-4">
        {stats.map((stat) => (
          <Stat key={stat.label} label={stat.label} {...(stat.note === undefined ? {} : { note: stat.note })}>
            {stat.value}
          </Stat>
        ))}
      </dl>
      {exits.length > 0 && (
        <List title="Exits by reason">
          {exits.map(({ reason, count, pnl }) => (
            <li key={reason} className="flex justify-between gap-4 py-2">
              <span>
                {reason}
                <span className="text-muted">
                  , {countText(count)} round {count === 1 ? "trip" : "trips"}
                </span>
              </span>
              <Money value={pnl} isChange />
            </li>
          ))}
        </List>
      )}
      {halts.length > 0 && (
        <List title="Halts">
          {halts.map(({ at, account, reason }) => (
            <li key={`${at} ${account}`} className="py-2">
              {/* Halts are known in wall time, which is years from the practice market's week. */}
              {environment === "PRACTICE" ? "" : `${easternText(at)}, `}
              {account}: {reason}
            </li>
          ))}
        </List>
      )}
    </Card>
  );
}

function tripStat(label: string, { symbol, pnl, reason }: NonNullable<Figures["best"]>) {
  return {
    label,
    value: <Money value={pnl} isChange />,
    note: (
      <>
        <SymbolLink symbol={symbol} />
        {reason === null ? "" : `, ${reason}`}
      </>
    ),
  };
}

function List({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="mt-5">
      <h3 className="text-sm font-medium">{title}</h3>
      <ul className="mt-1 divide-y divide-line text-sm">{children}</ul>
    </div>
  );
}
