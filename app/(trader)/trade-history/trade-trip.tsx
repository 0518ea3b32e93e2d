"use client";
import Link from "next/link";
import { countText, quantityText, sharesText } from "@/lib/domain/format.ts";
import { Badge } from "../../_ui/badge.tsx";
import { Card } from "../../_ui/card.tsx";
import { Fold, FoldCard } from "../../_ui/fold.tsx";
import { Money } from "../../_ui/money.tsx";
import { Stat } from "../../_ui/stat.tsx";
import { Table, type Column } from "../../_ui/table.tsx";
import { Time } from "../../_ui/time.tsx";
import { ProtectionText } from "./protection.tsx";
import { TradeId } from "./trade-parts.tsx";
import { type Related, RelatedLine } from "./related-line.tsx";
import { withoutFees } from "./trade-fills.tsx";
import type { TradeDetail } from "./labels.ts";

const OUTCOME = {
  WIN: { tone: "gain", label: "Win" },
  LOSS: { tone: "loss", label: "Loss" },
  SCRATCH: { tone: "neutral", label: "Scratch" },
} as const;

type Lot = TradeDetail["lots"][number];

const link =
  "tap inline-flex min-h-6 items-center rounded-sm font-medium text-accent underline-offset-4 hover:underline";

/** The orders that protect the trade or that it protects, and the lots between purchase and sale. */
export function TradeParts({ trade }: { trade: TradeDetail }) {
  const { lots, parent, legs } = trade;
  return (
    <>
      {(parent !== null || legs.length > 0) && <ProtectionCard trade={trade} />}
      {lots.length > 0 && <LotsCard trade={trade} />}
    </>
  );
}

function ProtectionCard({ trade: { parent, legs } }: { trade: TradeDetail }) {
  return (
    <FoldCard
      title={parent === null ? "Protective orders" : "Entry and protection"}
      note={parent === null && <ProtectionText legs={legs} />}
    >
      <ul className="divide-y divide-line">
        {[...(parent ? [parent] : []), ...legs].map((each: Related) => (
          <RelatedLine key={each.id} related={each} at={each.submittedAt} />
        ))}
      </ul>
    </FoldCard>
  );
}

/** The round trip, flat to flat, that the trade is a part of. */
export function TripCard({ trip, tradeId }: { trip: NonNullable<TradeDetail["trip"]>; tradeId: string }) {
  return (
    <Card
      title="Round trip"
      aside={
        trip.outcome === null ? (
          <Badge tone="accent">Open</Badge>
        ) : (
          <Badge tone={OUTCOME[trip.outcome].tone}>{OUTCOME[trip.outcome].label}</Badge>
        )
      }
    >
      <dl className="grid grid-cols-2 gap-4 @2xl:grid-cols-4">
        <Stat label={trip.closedAt === null ? "P&L so far" : "P&L"} note="before fees that the broker charges apart">
          <Money value={trip.pnl} isChange />
        </Stat>
        <Stat label="Bought" note={trip.entryReason ?? undefined}>
          {quantityText(trip.quantityBought)}{" "}
          <Small>
            for <Money value={trip.entryValue} />
          </Small>
        </Stat>
        <Stat label="Sold" note={trip.exitReason ?? undefined}>
          {quantityText(trip.quantitySold)}{" "}
          <Small>
            for <Money value={trip.exitValue} />
          </Small>
        </Stat>
        {trip.fees !== 0 && (
          <Stat label="Fees">
            <Money value={trip.fees} />
          </Stat>
        )}
        <Stat label={trip.closedAt === null ? "Open since" : "Opened, closed"} className="col-span-full">
          <span className="block text-sm font-normal">
            <Time at={trip.openedAt} />
          </span>
          {trip.closedAt !== null && (
            <span className="block text-sm font-normal">
              <Time at={trip.closedAt} />
            </span>
          )}
        </Stat>
      </dl>
      {trip.trades.some((each) => each.id !== tradeId) && (
        <Fold className="mt-3 text-sm" summary={`Its ${countText(trip.trades.length)} orders`}>
          <ul className="mt-1 divide-y divide-line border-t border-line">
            {trip.trades.map((each) => (
              <RelatedLine key={each.id} related={each} at={each.tradedAt} isThis={each.id === tradeId} />
            ))}
          </ul>
        </Fold>
      )}
    </Card>
  );
}

function LotsCard({ trade: { side, lots } }: { trade: TradeDetail }) {
  return (
    <FoldCard
      title={side === "SELL" ? "Lots that it closed" : "How its lots were sold"}
      note={<LotsNote lots={lots} />}
    >
      <div className="-mx-4 sm:-mx-5">
        <Table
          caption="Lots"
          columns={withoutFees(LOTS, lots)}
          rows={lots}
          rowKey={(lot) => lot.id}
          card={(lot) => (
            <div className="flex flex-col gap-1">
              <p className="flex justify-between gap-3">
                <span className="tabular-nums">{sharesText(lot.quantity)}</span>
                <Money value={lot.realizedPnl} isChange />
              </p>
              <p className="text-xs text-muted">
                <Time at={lot.openedAt} /> to <Time at={lot.closedAt} />
              </p>
            </div>
          )}
        />
      </div>
    </FoldCard>
  );
}

/** All of them in one line. */
function LotsNote({ lots }: Pick<TradeDetail, "lots">) {
  return (
    <span>
      {countText(lots.length)} {lots.length === 1 ? "lot" : "lots"}
    </span>
  );
}

function Small({ children }: { children: React.ReactNode }) {
  return <span className="text-sm font-normal text-muted">{children}</span>;
}

const LOTS: Column<Lot>[] = [
  { key: "opened", title: "Bought", cell: ({ openedAt }) => <Time at={openedAt} /> },
  { key: "closed", title: "Sold", cell: ({ closedAt }) => <Time at={closedAt} /> },
  { key: "quantity", title: "Quantity", isNumber: true, cell: ({ quantity }) => quantityText(quantity) },
  { key: "cost", title: "Cost", isNumber: true, cell: ({ cost }) => <Money value={cost} /> },
  { key: "proceeds", title: "Proceeds", isNumber: true, cell: ({ proceeds }) => <Money value={proceeds} /> },
  { key: "fees", title: "Fees", isNumber: true, cell: ({ fees }) => <Money value={fees} /> },
  { key: "pnl", title: "P&L", isNumber: true, cell: ({ realizedPnl }) => <Money value={realizedPnl} isChange /> },
  {
    key: "trade",
    title: "Matching trade",
    cell: ({ tradeId }) =>
      tradeId === null ? (
        <span className="text-muted">—</span>
      ) : (
        <Link href={`/trade-history/${tradeId}`} className={link}>
          <TradeId id={tradeId} className="w-[9.2ch]" />
        </Link>
      ),
  },
];
