"use client";
import { useRouter } from "next/navigation";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { selectorsApi } from "@/lib/contracts/selectors.ts";
import { dateText } from "@/lib/domain/format.ts";
import { WATCH_ORDERS } from "@/lib/domain/selector-labels.ts";
import { useUrlValues } from "../../../_hooks/use-url-values.ts";
import { DensityToggle } from "../../../_ui/density-toggle.tsx";
import { Empty } from "../../../_ui/empty.tsx";
import { SelectField } from "../../../_ui/field.tsx";
import { Money } from "../../../_ui/money.tsx";
import { Percent } from "../../../_ui/percent.tsx";
import { Table, type Column } from "../../../_ui/table.tsx";
import { symbolAddress, SymbolLink } from "../../symbol-link.tsx";
import { useMarket } from "../../use-market.ts";
import { DaysUntil, ReportTime, RiskBadge, VolumeBar } from "../../watch-parts.tsx";

export type Watchlist = Answer<typeof selectorsApi.earningsWatchlist>;
type Row = Watchlist["watchlist"][number];

const SORTS = [
  { value: "date", label: "Earnings Date" },
  { value: "risk", label: "Risk Level" },
  { value: "upside", label: "Upside" },
] as const;
const FILTERS = [
  { value: "all", label: "All" },
  { value: "LOW", label: "Low Risk" },
  { value: "MEDIUM", label: "Medium Risk" },
  { value: "HIGH", label: "High Risk" },
] as const;

/** The stocks that report soon and move most on it. */
export function WatchTable({ list: { watchlist, today } }: { list: Watchlist }) {
  const router = useRouter();
  const { wanted } = useMarket();
  const { values, change } = useUrlValues({ sort: "date", risk: "all" });
  const sort = SORTS.find(({ value }) => value === values.sort)?.value ?? "date";
  const risk = FILTERS.find(({ value }) => value === values.risk)?.value ?? "all";
  const shown = watchlist.filter(({ riskLevel }) => risk === "all" || riskLevel === risk).toSorted(WATCH_ORDERS[sort]);
  return (
    <section aria-label="Watchlist" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <p className="text-sm text-muted">{`${shown.length} of ${watchlist.length} stocks`}</p>
        <div className="flex items-end gap-3">
          <SelectField
            label="Sort by"
            options={SORTS}
            value={sort}
            onChange={(event) => change({ sort: event.target.value })}
          />
          <SelectField
            label="Risk"
            options={FILTERS}
            value={risk}
            onChange={(event) => change({ risk: event.target.value })}
          />
          <DensityToggle />
        </div>
      </div>
      <div className="overflow-clip rounded-xl border border-line bg-surface">
        {shown.length === 0 ? (
          <Empty title="No stocks found" hint="Try another filter." />
        ) : (
          <Table
            caption="Earnings watchlist"
            columns={columnsAt(today)}
            rows={shown}
            rowKey={({ symbol }) => symbol}
            card={(row) => <WatchCard row={row} today={today} />}
            onOpen={({ symbol }) => router.push(symbolAddress(symbol, wanted))}
          />
        )}
      </div>
    </section>
  );
}

/** From momentum, since no provider of target prices is connected. */
function Upside({ upside, upsideSource }: Row) {
  const source = upside === null ? "Not known" : `From ${upsideSource}`;
  return (
    <span title={source}>
      <Percent value={upside === null ? null : 100 * upside} />
    </span>
  );
}

const columnsAt = (today: string | null): Column<Row>[] => [
  { key: "symbol", title: "Symbol", cell: ({ symbol }) => <SymbolLink symbol={symbol} /> },
  {
    key: "company",
    title: "Company",
    cell: ({ companyName }) => (
      <span className="block max-w-44 truncate" title={companyName}>
        {companyName}
      </span>
    ),
  },
  { key: "sector", title: "Sector", cell: ({ sector }) => sector },
  { key: "price", title: "Price", isNumber: true, cell: ({ lastPrice }) => <Money value={lastPrice} /> },
  {
    key: "date",
    title: "Earnings Date",
    cell: ({ earningsDate }) => <span className="whitespace-nowrap">{dateText(earningsDate)}</span>,
  },
  { key: "time", title: "Time", cell: ({ earningsTime }) => <ReportTime time={earningsTime} /> },
  { key: "days", title: "Days Until", cell: ({ earningsDate }) => <DaysUntil today={today} date={earningsDate} /> },
  { key: "risk", title: "Risk Level", cell: ({ riskLevel }) => <RiskBadge level={riskLevel} /> },
  { key: "upside", title: "Upside", isNumber: true, cell: (row) => <Upside {...row} /> },
  { key: "volume", title: "Volume Ratio", cell: ({ volumeRatio }) => <VolumeBar ratio={volumeRatio} /> },
  { key: "reason", title: "Reason", cell: ({ watchlistReason }) => watchlistReason },
];

function WatchCard({ row, today }: { row: Row; today: string | null }) {
  return (
    <div className="flex flex-col gap-1.5">
      <p className="flex items-center justify-between gap-3">
        <span className="flex min-w-0 items-center gap-2">
          <SymbolLink symbol={row.symbol} />
          <span className="truncate text-muted">{row.companyName}</span>
        </span>
        <Money value={row.lastPrice} />
      </p>
      <p className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <span className="flex items-center gap-2">
          {dateText(row.earningsDate)} <ReportTime time={row.earningsTime} />
        </span>
        <DaysUntil today={today} date={row.earningsDate} />
      </p>
      <p className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <RiskBadge level={row.riskLevel} />
        <Upside {...row} />
        <VolumeBar ratio={row.volumeRatio} />
      </p>
      <p className="text-xs text-muted">{row.watchlistReason}</p>
    </div>
  );
}
