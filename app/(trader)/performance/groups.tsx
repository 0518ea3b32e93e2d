import { countText, shareText } from "@/lib/domain/format.ts";
import { TextButton } from "../../_ui/button.tsx";
import { Card } from "../../_ui/card.tsx";
import { Money } from "../../_ui/money.tsx";
import { TableHead } from "../../_ui/table-head.tsx";
import { DistributionCard } from "./distribution-card.tsx";
import type { Performance, Rows } from "./performance-screen.tsx";
import type { TripFilter } from "./trips.tsx";

type Group = Performance["byExit"][number];

interface GroupsProps {
  performance: Performance;
  onRows: (rows: Rows) => void;
}

/** Where the money was made: by exit, strategy, regime at entry, symbol and sector. Groups open their round trips. */
export function Groups({ performance, onRows }: GroupsProps) {
  if (performance.trips.total === 0) return null;
  const tables = [
    { title: "By exit", of: "Exit", groups: performance.byExit, filter: (exit: string) => ({ exit }) },
    {
      title: "By strategy",
      of: "Strategy",
      groups: performance.byStrategy,
      filter: (strategy: string) => ({ strategy }),
    },
    {
      title: "By market at purchase",
      of: "Market",
      groups: performance.byRegime,
      filter: (regime: string) => ({ regime }),
    },
    {
      title: performance.symbols > performance.bySymbol.length ? "By symbol: the most and the least" : "By symbol",
      of: "Symbol",
      groups: performance.bySymbol,
      filter: (symbol: string) => ({ symbol }),
    },
    { title: "By sector", of: "Sector", groups: performance.bySector, filter: null },
  ] as const;
  return (
    <div className="grid items-start gap-4 md:grid-cols-2 xl:grid-cols-3">
      {tables.map(({ title, of, groups, filter }) => (
        <Card key={title} title={title}>
          <GroupTable
            title={title}
            of={of}
            groups={groups}
            onOpen={
              filter && (({ key, name }) => onRows({ kind: "trips", title: name, filter: filter(key) as TripFilter }))
            }
          />
        </Card>
      ))}
      <DistributionCard bars={performance.distribution} />
    </div>
  );
}

interface GroupTableProps {
  title: string;
  /** What a row is. */
  of: string;
  groups: readonly Group[];
  /** Null where a group has no list of its own. */
  onOpen: ((group: Group) => void) | null;
}

function GroupTable({ title, of, groups, onOpen }: GroupTableProps) {
  return (
    <table className="w-full text-sm tabular-nums">
      <caption className="sr-only">{title}: round trips, win rate and P&L</caption>
      <TableHead titles={[of, "Trips", "Win rate", "P&L"]} cell="py-1.5" />
      <tbody>
        {groups.map((group) => (
          <tr key={group.key} className="border-b border-line last:border-0">
            <th scope="row" className="py-1.5 text-left font-normal">
              {onOpen === null ? (
                group.name
              ) : (
                <TextButton className="text-left" onClick={() => onOpen(group)}>
                  {group.name}
                </TextButton>
              )}
            </th>
            <td className="py-1.5 text-right">{countText(group.trips)}</td>
            <td className="py-1.5 text-right">{group.winRate === null ? "—" : shareText(group.winRate)}</td>
            <td className="py-1.5 text-right">
              <Money value={group.pnl} isChange />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
