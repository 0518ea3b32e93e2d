"use client";
import { countText, quantityText } from "@/lib/domain/format.ts";
import { FoldCard } from "../../_ui/fold.tsx";
import { Money } from "../../_ui/money.tsx";
import { Table, type Column } from "../../_ui/table.tsx";
import { Time } from "../../_ui/time.tsx";
import type { TradeDetail } from "./labels.ts";

type Fill = TradeDetail["fills"][number];

/** Rows in the document at most; the rest is said in one line. */
const MOST = 100;

const COLUMNS: Column<Fill>[] = [
  { key: "at", title: "Time", cell: ({ at }) => <Time at={at} /> },
  { key: "quantity", title: "Quantity", isNumber: true, cell: ({ quantity }) => quantityText(quantity) },
  { key: "price", title: "Price", isNumber: true, cell: ({ price }) => <Money value={price} /> },
  { key: "value", title: "Value", isNumber: true, cell: ({ value }) => <Money value={value} /> },
  { key: "fees", title: "Fees", isNumber: true, cell: ({ fees }) => <Money value={fees} /> },
];

/** Brokers charge most fees apart from trades: a column of fees stands only where a row has any. */
export const withoutFees = <Row extends { fees: number }>(
  columns: Column<Row>[],
  rows: readonly Row[],
): Column<Row>[] => (rows.some(({ fees }) => fees !== 0) ? columns : columns.filter(({ key }) => key !== "fees"));

export function TradeFills({ trade }: { trade: TradeDetail }) {
  const { fills } = trade;
  if (fills.length === 0) return null;
  return (
    <FoldCard title={`Fills (${countText(fills.length)})`} note={<FillsNote trade={trade} />}>
      <div className="-mx-4 sm:-mx-5">
        <Table
          caption="Fills"
          columns={withoutFees(COLUMNS, fills)}
          rows={fills.slice(0, MOST)}
          rowKey={({ id }) => id}
          card={(fill) => (
            <p className="flex flex-wrap items-center justify-between gap-x-3">
              <span className="tabular-nums">
                {quantityText(fill.quantity)} at <Money value={fill.price} />
                {fill.fees !== 0 && (
                  <span className="text-muted">
                    , fees <Money value={fill.fees} />
                  </span>
                )}
              </span>
              <span className="text-xs text-muted">
                <Time at={fill.at} />
              </span>
            </p>
          )}
        />
      </div>
      {fills.length > MOST && (
        <p className="mt-3 text-xs text-muted">and {countText(fills.length - MOST)} more parts</p>
      )}
    </FoldCard>
  );
}

/** All of it in one line. */
function FillsNote({ trade: { filledQuantity, averagePrice } }: { trade: TradeDetail }) {
  return (
    <span className="tabular-nums">
      {quantityText(filledQuantity)} at <Money value={averagePrice} />
    </span>
  );
}
