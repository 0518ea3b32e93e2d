"use client";
import Link from "next/link";
import type { ReactNode } from "react";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { symbolsApi } from "@/lib/contracts/symbols.ts";
import { quantityText } from "@/lib/domain/format.ts";
import { Badge } from "./badge.tsx";
import { Card } from "./card.tsx";
import { Money } from "./money.tsx";
import { type Column, Table } from "./table.tsx";
import { Time } from "./time.tsx";

type SymbolAnswer = Answer<typeof symbolsApi.read>;
type Trade = SymbolAnswer["trades"][number];
type Trip = SymbolAnswer["trips"][number];
type Level = SymbolAnswer["levels"][number];

interface SymbolTradingProps {
  of: Pick<SymbolAnswer, "trades" | "trips" | "levels">;
  /** Named in the rows where there are several. */
  accounts: readonly { id: string; name: string }[];
}

/** Fills, round trips, and every stop and target that rested, newest first. */
export function SymbolTrading({ of: { trades, trips, levels }, accounts }: SymbolTradingProps) {
  const nameOf = (id: string) => accounts.find((account) => account.id === id)?.name ?? "Account";
  const withAccount = <Row extends { accountId: string }>(columns: readonly Column<Row>[]): Column<Row>[] =>
    accounts.length < 2
      ? [...columns]
      : [...columns, { key: "account", title: "Account", cell: ({ accountId }) => nameOf(accountId) }];
  const keyOf = ({ id }: { id: string }) => id;
  return (
    <>
      {trips.length > 0 && (
        <Rows title="Round trips">
          <Table caption="Round trips" columns={withAccount(TRIPS)} rows={trips} rowKey={keyOf} card={tripCard} />
        </Rows>
      )}
      {trades.length > 0 && (
        <Rows title="Trades">
          <Table caption="Trades" columns={withAccount(TRADES)} rows={trades} rowKey={keyOf} card={tradeCard} />
        </Rows>
      )}
      {levels.length > 0 && (
        <Rows title="Stops and targets at the broker">
          <Table
            caption="Stops and targets"
            columns={withAccount(LEVELS)}
            rows={levels}
            rowKey={keyOf}
            card={levelCard}
          />
        </Rows>
      )}
    </>
  );
}

const tripCard = (trip: Trip) => (
  <Lines
    left={<TripOutcome trip={trip} />}
    right={<TripMoney trip={trip} of="pnl" />}
    below={
      <>
        <Between from={trip.openedAt} to={trip.closedAt} />
        {trip.exitReason !== null && `, ${trip.exitReason}`}
      </>
    }
  />
);

const tradeCard = (trade: Trade) => (
  <Lines
    left={
      <>
        <TradeLink trade={trade} /> <Status trade={trade} />
      </>
    }
    right={<Money value={trade.totalValue} />}
    below={
      <>
        {quantityText(trade.filledQuantity)} at <Money value={trade.averagePrice} />, <Time at={trade.at} />
      </>
    }
  />
);

const levelCard = (level: Level) => (
  <Lines
    left={<LevelLink level={level} />}
    right={<Money value={level.price} />}
    below={<Between from={level.from} to={level.to} />}
  />
);

function Between({ from, to }: { from: string; to: string | null }) {
  return (
    <>
      <Time at={from} /> to {to === null ? "now" : <Time at={to} />}
    </>
  );
}

function Rows({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card title={title}>
      <div className="-mx-4 max-h-120 overflow-y-auto sm:-mx-5" tabIndex={0} role="group" aria-label={title}>
        {children}
      </div>
    </Card>
  );
}

function Lines({ left, right, below }: { left: ReactNode; right: ReactNode; below: ReactNode }) {
  return (
    <div className="flex flex-col gap-1">
      <p className="flex items-center justify-between gap-3">
        <span className="flex flex-wrap items-center gap-2">{left}</span>
        {right}
      </p>
      <p className="text-xs text-muted">{below}</p>
    </div>
  );
}

const LINK = "tap rounded-sm font-medium underline-offset-4 hover:underline";

function TradeLink({ trade: { id, side } }: { trade: Trade }) {
  return (
    <Link href={`/trade-history/${id}`} className={`${LINK} ${side === "BUY" ? "text-gain" : "text-loss"}`}>
      {side === "BUY" ? "Buy" : "Sell"}
    </Link>
  );
}

const STATUSES = {
  FILLED: <Badge tone="gain">Filled</Badge>,
  PENDING: <Badge tone="warn">Pending</Badge>,
  CANCELLED: <Badge>Cancelled</Badge>,
  REJECTED: <Badge tone="loss">Rejected</Badge>,
} as const;

const Status = ({ trade: { status } }: { trade: Trade }) => STATUSES[status];

const OUTCOMES = {
  WIN: <Badge tone="gain">Won</Badge>,
  LOSS: <Badge tone="loss">Lost</Badge>,
  SCRATCH: <Badge>Even</Badge>,
} as const;

const TripOutcome = ({ trip: { outcome } }: { trip: Trip }) =>
  outcome === null ? <Badge tone="accent">Open</Badge> : OUTCOMES[outcome];

/** Nothing is earned while nothing is sold: a zero would say that it was sold for nothing. */
function TripMoney({ trip, of }: { trip: Trip; of: "exitValue" | "pnl" }) {
  if (trip.closedAt === null && trip.exitValue === 0) return "—";
  return <Money value={trip[of]} isChange={of === "pnl"} />;
}

function LevelLink({ level: { id, kind, isRaised, isFilled } }: { level: Level }) {
  const name = kind === "TARGET" ? "Target" : isRaised ? "Stop raised" : "Stop";
  return (
    <span className="flex flex-wrap items-center gap-2">
      <Link href={`/trade-history/${id}`} className={`${LINK} text-accent`}>
        {name}
      </Link>
      {isFilled && <Badge tone={kind === "STOP" ? "loss" : "gain"}>Sold here</Badge>}
    </span>
  );
}

const until = (to: string | null) => (to === null ? <Badge tone="accent">Resting now</Badge> : <Time at={to} />);

const TRADES: Column<Trade>[] = [
  { key: "side", title: "Side", cell: (trade) => <TradeLink trade={trade} /> },
  { key: "status", title: "Status", cell: (trade) => <Status trade={trade} /> },
  { key: "quantity", title: "Shares", isNumber: true, cell: ({ filledQuantity }) => quantityText(filledQuantity) },
  { key: "price", title: "Price", isNumber: true, cell: ({ averagePrice }) => <Money value={averagePrice} /> },
  { key: "total", title: "Total", isNumber: true, cell: ({ totalValue }) => <Money value={totalValue} /> },
  { key: "reason", title: "Reason", cell: ({ reason }) => reason ?? "Placed elsewhere" },
  { key: "at", title: "Date", cell: ({ at }) => <Time at={at} /> },
];

const TRIPS: Column<Trip>[] = [
  { key: "outcome", title: "Outcome", cell: (trip) => <TripOutcome trip={trip} /> },
  { key: "opened", title: "Opened", cell: ({ openedAt }) => <Time at={openedAt} /> },
  { key: "closed", title: "Closed", cell: ({ closedAt }) => (closedAt === null ? "—" : <Time at={closedAt} />) },
  { key: "quantity", title: "Shares", isNumber: true, cell: ({ quantityBought }) => quantityText(quantityBought) },
  { key: "entry", title: "Bought for", isNumber: true, cell: ({ entryValue }) => <Money value={entryValue} /> },
  { key: "exitValue", title: "Sold for", isNumber: true, cell: (trip) => <TripMoney trip={trip} of="exitValue" /> },
  { key: "pnl", title: "P&L", isNumber: true, cell: (trip) => <TripMoney trip={trip} of="pnl" /> },
  { key: "exit", title: "Exit", cell: ({ exitReason }) => exitReason ?? "—" },
];

const LEVELS: Column<Level>[] = [
  { key: "kind", title: "Order", cell: (level) => <LevelLink level={level} /> },
  { key: "price", title: "Price", isNumber: true, cell: ({ price }) => <Money value={price} /> },
  {
    key: "quantity",
    title: "Shares",
    isNumber: true,
    cell: ({ quantity }) => (quantity === null ? "—" : quantityText(quantity)),
  },
  { key: "from", title: "From", cell: ({ from }) => <Time at={from} /> },
  { key: "to", title: "To", cell: ({ to }) => until(to) },
];
