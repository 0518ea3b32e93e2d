"use client";
import { useState } from "react";
import { countText, dateText, quantityText } from "@/lib/domain/format.ts";
import { EnvironmentBadge } from "../../_ui/badge.tsx";
import { Empty } from "../../_ui/empty.tsx";
import { Money } from "../../_ui/money.tsx";
import { Pager } from "../../_ui/pager.tsx";
import { Percent } from "../../_ui/percent.tsx";
import { Table, type Column, type Sorting } from "../../_ui/table.tsx";
import { type Result } from "./labels.ts";

type Trip = Result["trips"][number];

const PAGE_ROWS = 20;

const KEYS: Record<string, (trip: Trip) => string | number> = {
  symbol: ({ symbol }) => symbol,
  closed: ({ closed }) => closed,
  held: ({ sessionsHeld }) => sessionsHeld,
  pnl: ({ pnl }) => pnl,
  percent: ({ pnlFraction }) => pnlFraction,
};

const COLUMNS: Column<Trip>[] = [
  {
    key: "symbol",
    title: "Symbol",
    sort: "asc",
    cell: ({ symbol, name }) => (
      <span>
        <span className="font-medium">{symbol}</span>
        <span className="block max-w-48 truncate text-xs text-muted" title={name}>
          {name}
        </span>
      </span>
    ),
  },
  {
    key: "closed",
    title: "From, to",
    sort: "desc",
    cell: ({ opened, closed }) => (
      <span className="whitespace-nowrap">
        {dateText(opened)}
        <span className="block text-xs text-muted">{dateText(closed)}</span>
      </span>
    ),
  },
  { key: "held", title: "Sessions", isNumber: true, sort: "desc", cell: ({ sessionsHeld }) => sessionsHeld },
  { key: "quantity", title: "Quantity", isNumber: true, cell: ({ quantity }) => quantityText(quantity) },
  { key: "entry", title: "Entry", isNumber: true, cell: ({ entryPrice }) => <Money value={entryPrice} /> },
  { key: "exit", title: "Exit", isNumber: true, cell: ({ exitPrice }) => <Money value={exitPrice} /> },
  { key: "reason", title: "Why it ended", cell: ({ exit }) => exit },
  { key: "fees", title: "Costs", isNumber: true, cell: ({ fees }) => <Money value={fees} /> },
  { key: "pnl", title: "P&L", isNumber: true, sort: "desc", cell: ({ pnl }) => <Money value={pnl} isChange /> },
  {
    key: "percent",
    title: "Return",
    isNumber: true,
    sort: "desc",
    cell: ({ pnlFraction }) => <Percent value={pnlFraction * 100} />,
  },
];

/** Every round trip; what they earned adds up to the tables beside. */
export function TripTable({ trips }: { trips: readonly Trip[] }) {
  const [sorting, setSorting] = useState<Sorting>({ by: "closed", direction: "desc" });
  const [page, setPage] = useState(0);
  const key = KEYS[sorting.by]!;
  const sign = sorting.direction === "asc" ? 1 : -1;
  const sorted = [...trips].sort((a, b) => (key(a) < key(b) ? -sign : key(a) > key(b) ? sign : 0));
  const rows = sorted.slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS);
  return (
    <section aria-labelledby="trips" className="overflow-clip rounded-xl border border-line bg-surface">
      <div className="flex min-h-11 items-center justify-between gap-3 px-4 pt-3 sm:px-5">
        <h2 id="trips" className="text-sm font-medium text-muted">
          Round trips ({countText(trips.length)})
        </h2>
        <EnvironmentBadge environment="BACKTEST" />
      </div>
      {trips.length === 0 ? (
        <Empty
          title="No round trip was closed"
          hint="The table of refused candidates says which rule prevented it; wider limits or other dates may change that."
        />
      ) : (
        <Table
          caption="Round trips"
          columns={COLUMNS}
          rows={rows}
          rowKey={({ symbol, opened, closed, entryPrice }) => `${symbol} ${opened} ${closed} ${entryPrice}`}
          card={(trip) => <TripCard trip={trip} />}
          sorting={sorting}
          onSort={(next) => {
            setSorting(next);
            setPage(0);
          }}
        />
      )}
      {trips.length > PAGE_ROWS && (
        <div className="p-4">
          <Pager
            text={`Round trips ${countText(page * PAGE_ROWS + 1)} to ${countText(page * PAGE_ROWS + rows.length)}`}
            hasPrevious={page > 0}
            hasNext={(page + 1) * PAGE_ROWS < trips.length}
            isBusy={false}
            isNewestFirst={sorting.by === "closed" && sorting.direction === "desc"}
            onPrevious={() => setPage(page - 1)}
            onNext={() => setPage(page + 1)}
          />
        </div>
      )}
    </section>
  );
}

function TripCard({ trip }: { trip: Trip }) {
  return (
    <div className="flex flex-col gap-1 text-sm">
      <p className="flex justify-between gap-3">
        <span>
          <span className="font-medium">{trip.symbol}</span>{" "}
          <span className="text-muted tabular-nums">
            {quantityText(trip.quantity)} at <Money value={trip.entryPrice} /> → <Money value={trip.exitPrice} />
          </span>
        </span>
        <Money value={trip.pnl} isChange />
      </p>
      <p className="flex justify-between gap-3 text-xs text-muted">
        <span>
          {trip.exit}, {dateText(trip.opened)} – {dateText(trip.closed)}
        </span>
        <Percent value={trip.pnlFraction * 100} />
      </p>
    </div>
  );
}
