import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { tradesApi } from "@/lib/contracts/trades.ts";
import { moneyText, quantityText } from "@/lib/domain/format.ts";
import { Badge, EnvironmentBadge } from "../../_ui/badge.tsx";
import { Money } from "../../_ui/money.tsx";
import { Table, type Column } from "../../_ui/table.tsx";
import { Time } from "../../_ui/time.tsx";

type Trade = Answer<typeof tradesApi.list>["trades"][number];

const STATUS = {
  FILLED: { tone: "gain", label: "Filled" },
  PENDING: { tone: "warn", label: "Pending" },
  CANCELLED: { tone: "neutral", label: "Cancelled" },
  REJECTED: { tone: "loss", label: "Rejected" },
} as const;

function StatusBadge({ status }: { status: Trade["status"] }) {
  const { tone, label } = STATUS[status];
  return <Badge tone={tone}>{label}</Badge>;
}

function Side({ side }: { side: Trade["side"] }) {
  return (
    <span className={`font-medium ${side === "BUY" ? "text-gain" : "text-loss"}`}>
      {side === "BUY" ? "Buy" : "Sell"}
    </span>
  );
}

/** Enough of the id to tell trades apart; all of it in the tooltip. */
/** The end of the id: its beginning is the time, alike for all trades of a while. */
function TradeId({ id }: { id: string }) {
  return (
    <code title={id} className="font-mono text-xs text-muted">
      {id.slice(-8)}
    </code>
  );
}

function User({ account }: { account: Trade["account"] }) {
  return (
    <span className="block">
      <span className="flex items-center gap-2">
        {account.user.firstName} {account.user.lastName}
        <EnvironmentBadge environment={account.environmentLabel} />
      </span>
      <span className="text-xs text-muted">{account.user.email}</span>
    </span>
  );
}

const id: Column<Trade> = { key: "id", title: "Trade ID", cell: (trade) => <TradeId id={trade.id} /> };
const user: Column<Trade> = { key: "user", title: "User", cell: (trade) => <User account={trade.account} /> };
const rest: Column<Trade>[] = [
  {
    key: "symbol",
    title: "Symbol",
    cell: (trade) => (
      <span className="block">
        <span className="font-semibold">{trade.symbol}</span>
        {trade.reason !== null && <span className="block text-xs text-muted">{trade.reason}</span>}
      </span>
    ),
  },
  { key: "side", title: "Side", cell: (trade) => <Side side={trade.side} /> },
  { key: "quantity", title: "Quantity", isNumber: true, cell: (trade) => quantityText(trade.filledQuantity) },
  { key: "price", title: "Price", isNumber: true, cell: (trade) => <Money value={trade.averagePrice} /> },
  { key: "total", title: "Total Value", isNumber: true, cell: (trade) => <Money value={trade.totalValue} /> },
  { key: "status", title: "Status", cell: (trade) => <StatusBadge status={trade.status} /> },
  { key: "date", title: "Date", cell: (trade) => <Time at={trade.createdAt} /> },
];

const ownColumns = [id, ...rest];
const adminColumns = [id, user, ...rest];

export function TradeTable({ trades, isAdmin }: { trades: Trade[]; isAdmin: boolean }) {
  return (
    <Table
      caption="Trades"
      columns={isAdmin ? adminColumns : ownColumns}
      rows={trades}
      rowKey={(trade) => trade.id}
      card={(trade) => <TradeCard trade={trade} isAdmin={isAdmin} />}
    />
  );
}

function TradeCard({ trade, isAdmin }: { trade: Trade; isAdmin: boolean }) {
  return (
    <div className="flex flex-col gap-1">
      {isAdmin && <User account={trade.account} />}
      <p className="flex items-center justify-between gap-3">
        <span className="flex items-center gap-2">
          <span className="font-semibold">{trade.symbol}</span>
          <Side side={trade.side} />
          <StatusBadge status={trade.status} />
        </span>
        <span className="font-medium">
          <Money value={trade.totalValue} />
        </span>
      </p>
      <p className="flex items-center justify-between gap-3 text-xs text-muted">
        <span className="tabular-nums">
          {quantityText(trade.filledQuantity)} at {moneyText(trade.averagePrice)}
        </span>
        <Time at={trade.createdAt} />
      </p>
    </div>
  );
}
