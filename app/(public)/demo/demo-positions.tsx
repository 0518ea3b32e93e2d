import { quantityText, sharesText } from "@/lib/domain/format.ts";
import { Card } from "../../_ui/card.tsx";
import { Empty } from "../../_ui/empty.tsx";
import { Money } from "../../_ui/money.tsx";
import { Percent } from "../../_ui/percent.tsx";
import { type Column, Table } from "../../_ui/table.tsx";
import type { Demo } from "./demo-screen.tsx";

type Position = Demo["positions"][number];

const Result = ({ position: { unrealizedPnL, unrealizedPnLPercent } }: { position: Position }) =>
  unrealizedPnL === null ? (
    "—"
  ) : (
    <span className="inline-flex flex-wrap justify-end gap-x-2">
      <Money value={unrealizedPnL} isChange />
      <Percent value={unrealizedPnLPercent} />
    </span>
  );

const Price = ({ value }: { value: number | null }) => (value === null ? "—" : <Money value={value} />);

const COLUMNS: readonly Column<Position>[] = [
  { key: "symbol", title: "Symbol", cell: ({ symbol }) => <span className="font-semibold">{symbol}</span> },
  { key: "shares", title: "Shares", isNumber: true, cell: ({ quantity }) => quantityText(quantity) },
  { key: "value", title: "Value", isNumber: true, cell: ({ marketValue }) => <Price value={marketValue} /> },
  { key: "result", title: "P&L", isNumber: true, cell: (position) => <Result position={position} /> },
  { key: "stop", title: "Stop", isNumber: true, cell: ({ stopPrice }) => <Price value={stopPrice} /> },
];

/** What the demo trader holds, each with the stop that rests for it. */
export function DemoPositions({ positions }: Pick<Demo, "positions">) {
  return (
    <Card title="Active Positions">
      {positions.length === 0 ? (
        <Empty title="No active positions" hint="Positions appear here when the automation opens them." />
      ) : (
        <Table
          caption="Positions of the demo trader"
          columns={COLUMNS}
          rows={positions}
          rowKey={({ symbol, openedAt }) => `${symbol} ${openedAt}`}
          card={(position) => (
            <div className="flex justify-between gap-4 tabular-nums">
              <span>
                <span className="font-semibold">{position.symbol}</span>
                <span className="block text-muted">
                  {sharesText(position.quantity)}, stop at <Price value={position.stopPrice} />
                </span>
              </span>
              <span className="text-right">
                <Price value={position.marketValue} />
                <span className="block">
                  <Result position={position} />
                </span>
              </span>
            </div>
          )}
        />
      )}
    </Card>
  );
}
