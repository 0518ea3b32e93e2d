"use client";
import Link from "next/link";
import { quantityText } from "@/lib/domain/format.ts";
import { Money } from "../../_ui/money.tsx";
import { SymbolLink } from "../../_ui/symbol-link.tsx";
import { Table, type Column, type Sorting } from "../../_ui/table.tsx";
import { Time } from "../../_ui/time.tsx";
import { Protection } from "./protection.tsx";
import { StatusBadge } from "../../_ui/status-badge.tsx";
import { Owner, Side, TradeId } from "./trade-parts.tsx";
import type { Trade } from "./labels.ts";

interface TradeTableProps {
  trades: Trade[];
  isAdmin: boolean;
  sorting: Sorting;
  onSort: (sorting: Sorting) => void;
  onOpen: (id: string) => void;
}

export function TradeTable({ trades, isAdmin, sorting, onSort, onOpen }: TradeTableProps) {
  return (
    <Table
      caption="Trades"
      columns={columnsFor({ isAdmin, onOpen })}
      rows={trades}
      rowKey={(trade) => trade.id}
      card={(trade) => <TradeCard trade={trade} isAdmin={isAdmin} onOpen={onOpen} />}
      sorting={sorting}
      onSort={onSort}
      onOpen={({ id }) => onOpen(id)}
    />
  );
}

type Opening = Pick<TradeTableProps, "onOpen">;

/** Of what was not filled the zeros stand back. */
const quiet = ({ filledQuantity }: Trade) => (filledQuantity === 0 ? "text-muted" : "");

/** Opens the trade beside the list. */
function TradeLink({ trade, onOpen, children }: { trade: Trade; children: React.ReactNode } & Opening) {
  return (
    <Link
      href={`/trade-history/${trade.id}`}
      prefetch={false}
      onClick={(event) => {
        event.stopPropagation();
        // With a modifier the browser opens the trade's own page.
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        onOpen(trade.id);
      }}
      className="tap inline-flex min-h-6 items-center rounded-sm underline-offset-4 hover:underline"
    >
      {children}
    </Link>
  );
}

function columnsFor({ isAdmin, onOpen }: Omit<TradeTableProps, "trades" | "sorting" | "onSort">) {
  const columns: Column<Trade>[] = [
    {
      key: "id",
      title: "Trade ID",
      cell: (trade) => (
        <TradeLink trade={trade} onOpen={onOpen}>
          <TradeId id={trade.id} className="w-[9.2ch] text-accent" />
        </TradeLink>
      ),
    },
    ...(isAdmin ? [{ key: "user", title: "User", cell: (trade: Trade) => <Owner account={trade.account} /> }] : []),
    {
      key: "symbol",
      title: "Symbol",
      sort: "asc",
      cell: (trade) => (
        <span className="block">
          <SymbolLink symbol={trade.symbol} className="font-semibold underline-offset-4 hover:underline" />
          {trade.reason !== null && (
            <span className="block max-w-44 truncate text-xs text-muted" title={trade.reason}>
              {trade.reason}
            </span>
          )}
          <Protection legs={trade.protection} />
        </span>
      ),
    },
    { key: "side", title: "Side", cell: ({ side }) => <Side side={side} /> },
    {
      key: "quantity",
      title: "Quantity",
      isNumber: true,
      sort: "desc",
      cell: (trade) => <span className={quiet(trade)}>{quantityText(trade.filledQuantity)}</span>,
    },
    {
      key: "price",
      title: "Price",
      isNumber: true,
      sort: "desc",
      cell: (trade) => (
        <span className={quiet(trade)}>
          <Money value={trade.averagePrice} />
        </span>
      ),
    },
    {
      key: "total",
      title: "Total Value",
      isNumber: true,
      sort: "desc",
      cell: (trade) => (
        <span className={quiet(trade)}>
          <Money value={trade.totalValue} />
        </span>
      ),
    },
    { key: "pnl", title: "P&L", isNumber: true, cell: (trade) => <TripPnl trade={trade} /> },
    { key: "status", title: "Status", cell: ({ status }) => <StatusBadge status={status} /> },
    { key: "date", title: "Date", sort: "desc", cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
  return columns;
}

/** At the trade that closed a round trip stands its result. */
function TripPnl({ trade: { tripPnl } }: { trade: Trade }) {
  return tripPnl === null ? <span className="text-muted">—</span> : <Money value={tripPnl} isChange />;
}

function TradeCard({ trade, isAdmin, onOpen }: { trade: Trade } & Pick<TradeTableProps, "isAdmin" | "onOpen">) {
  return (
    <div className="flex flex-col gap-1">
      {isAdmin && <Owner account={trade.account} />}
      <p className="flex items-center justify-between gap-3">
        <span className="flex flex-wrap items-center gap-2">
          <TradeLink trade={trade} onOpen={onOpen}>
            <span className="font-semibold">{trade.symbol}</span>
          </TradeLink>
          <Side side={trade.side} />
          <StatusBadge status={trade.status} />
        </span>
        <span className={`font-medium ${quiet(trade)}`}>
          <Money value={trade.totalValue} />
        </span>
      </p>
      {(trade.reason !== null || trade.tripPnl !== null) && (
        <p className="flex items-baseline justify-between gap-3 text-xs text-muted">
          <span>{trade.reason}</span>
          {trade.tripPnl !== null && (
            <span>
              P&L <TripPnl trade={trade} />
            </span>
          )}
        </p>
      )}
      <p className="flex flex-wrap items-center justify-between gap-x-3 text-xs text-muted">
        <span className="tabular-nums">
          {quantityText(trade.filledQuantity)} at <Money value={trade.averagePrice} />
        </span>
        <Time at={trade.createdAt} />
      </p>
      <Protection legs={trade.protection} />
      <TradeId id={trade.id} className="text-left text-muted" />
    </div>
  );
}
