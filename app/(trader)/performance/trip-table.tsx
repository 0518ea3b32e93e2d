"use client";
import Link from "next/link";
import { quantityText, signedPercentText } from "@/lib/domain/format.ts";
import { Badge } from "../../_ui/badge.tsx";
import { Money } from "../../_ui/money.tsx";
import { SymbolLink } from "../../_ui/symbol-link.tsx";
import { Table, type Column } from "../../_ui/table.tsx";
import { Time } from "../../_ui/time.tsx";
import type { Performance } from "./performance-screen.tsx";

type Trip = Performance["best"][number];

const OUTCOMES = {
  WIN: <Badge tone="gain">Won</Badge>,
  LOSS: <Badge tone="loss">Lost</Badge>,
  SCRATCH: <Badge>Even</Badge>,
};
const percentOf = ({ pnlFraction }: Trip) => signedPercentText(pnlFraction === null ? null : 100 * pnlFraction);

const SYMBOL: Column<Trip> = {
  key: "symbol",
  title: "Symbol",
  cell: (trip) => <SymbolLink symbol={trip.symbol} />,
};
const CLOSED: Column<Trip> = { key: "closed", title: "Closed", cell: (trip) => <Time at={trip.closedAt} /> };
const EXIT: Column<Trip> = { key: "exit", title: "Exit", cell: (trip) => trip.exitReason ?? "Placed elsewhere" };
const PNL: Column<Trip> = {
  key: "pnl",
  title: "P&L",
  isNumber: true,
  cell: (trip) => (
    <>
      <Money value={trip.pnl} isChange />
      <span className="block text-xs text-muted">{percentOf(trip)}</span>
    </>
  ),
};
const TRADES: Column<Trip> = {
  key: "trades",
  title: "Trades",
  isScreenOnly: true,
  cell: (trip) => <TradeLinks trip={trip} />,
};

const SHORT = [SYMBOL, CLOSED, EXIT, PNL, TRADES];
const LONG: Column<Trip>[] = [
  SYMBOL,
  { key: "outcome", title: "Outcome", cell: (trip) => OUTCOMES[trip.outcome] },
  { key: "opened", title: "Opened", cell: (trip) => <Time at={trip.openedAt} /> },
  CLOSED,
  { key: "quantity", title: "Shares", isNumber: true, cell: (trip) => quantityText(trip.quantity) },
  { key: "entry", title: "Bought for", isNumber: true, cell: (trip) => <Money value={trip.entryValue} /> },
  { key: "exitValue", title: "Sold for", isNumber: true, cell: (trip) => <Money value={trip.exitValue} /> },
  EXIT,
  PNL,
  TRADES,
];

interface TripTableProps {
  caption: string;
  trips: readonly Trip[];
  isShort?: boolean;
}

/** Round trips, each with the way to the trades that opened and closed it. */
export function TripTable({ caption, trips, isShort = false }: TripTableProps) {
  return (
    <div className="-mx-4 sm:-mx-5">
      <Table
        caption={caption}
        columns={isShort ? SHORT : LONG}
        rows={trips}
        rowKey={(trip) => trip.id}
        card={(trip) => (
          <div className="flex flex-col gap-1">
            <div className="flex items-center justify-between gap-3">
              <span className="flex items-center gap-2 font-semibold">
                <SymbolLink symbol={trip.symbol} /> {OUTCOMES[trip.outcome]}
              </span>
              <Money value={trip.pnl} isChange />
            </div>
            <div className="flex flex-wrap items-center justify-between gap-x-3 text-xs text-muted">
              <span>
                {trip.exitReason ?? "Placed elsewhere"}, <Time at={trip.closedAt} />
              </span>
              <TradeLinks trip={trip} />
            </div>
          </div>
        )}
      />
    </div>
  );
}

function TradeLinks({ trip }: { trip: Trip }) {
  const links = [
    { id: trip.entryTradeId, label: "Entry" },
    { id: trip.exitTradeId, label: "Exit" },
  ];
  return (
    <span className="flex gap-3 text-xs print:hidden">
      {links.map(
        ({ id, label }) =>
          id !== null && (
            <Link
              key={label}
              href={`/trade-history/${id}`}
              aria-label={`${label} of ${trip.symbol}`}
              className="tap inline-flex min-h-6 items-center rounded-sm font-medium text-accent underline-offset-4 hover:underline"
            >
              {label}
            </Link>
          ),
      )}
    </span>
  );
}
