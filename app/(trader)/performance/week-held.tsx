import { quantityText } from "@/lib/domain/format.ts";
import { Card } from "../../_ui/card.tsx";
import { Money } from "../../_ui/money.tsx";
import { SymbolLink } from "../../_ui/symbol-link.tsx";
import { Table, type Column } from "../../_ui/table.tsx";
import { Time } from "../../_ui/time.tsx";
import type { Week } from "./week-screen.tsx";

type Held = Week["held"][number];

const NOT_KNOWN = "—";

/** What is not known is no zero. */
const Amount = ({ value, isChange = false }: { value: number | null; isChange?: boolean }) =>
  value === null ? NOT_KNOWN : <Money value={value} isChange={isChange} />;

const COLUMNS: Column<Held>[] = [
  { key: "symbol", title: "Symbol", cell: ({ symbol }) => <SymbolLink symbol={symbol} /> },
  { key: "opened", title: "Opened", cell: ({ openedAt }) => <Time at={openedAt} /> },
  {
    key: "quantity",
    title: "Shares",
    isNumber: true,
    cell: ({ quantity }) => (quantity === null ? NOT_KNOWN : quantityText(quantity)),
  },
  { key: "paid", title: "Paid per share", isNumber: true, cell: ({ paid }) => <Amount value={paid} /> },
  { key: "stop", title: "Stop", isNumber: true, cell: ({ stop }) => <Amount value={stop} /> },
  { key: "atStop", title: "At its stops", isNumber: true, cell: ({ atStop }) => <Amount value={atStop} isChange /> },
  { key: "since", title: "Since", cell: ({ isOpen }) => (isOpen ? "Still held" : "Sold") },
];

const ACCOUNT: Column<Held> = { key: "account", title: "Account", cell: ({ account }) => account.name };

/** What was held at the end, and what its stops would have realized. */
export function WeekHeld({ data: { held, risk, isRunning } }: { data: Week }) {
  const known = held.length - risk.unknown;
  const hasSeveral = new Set(held.map(({ account }) => account.id)).size > 1;
  return (
    <Card title={isRunning ? "Held now" : "Held at the end of the week"}>
      {held.length === 0 ? (
        <p className="text-sm text-muted">Nothing {isRunning ? "is held now" : "was held when the week ended"}.</p>
      ) : (
        <>
          <p className="mb-3 text-sm">
            {known > 0 && (
              <>
                Sold at {known === 1 ? "its stop" : "their stops"}, {known} {known === 1 ? "position" : "positions"}{" "}
                {isRunning ? "would realize" : "would have realized"} <Money value={risk.atStops} isChange /> against
                what was paid, before fees; a gap in the price can make it less.{" "}
              </>
            )}
            {risk.unknown > 0 &&
              `For ${risk.unknown} ${risk.unknown === 1 ? "position" : "positions"} it is not known: there was no stop, or a split changed the shares.`}
          </p>
          <div className="-mx-4 sm:-mx-5">
            <Table
              caption="Positions, with their stops at that time"
              columns={hasSeveral ? [...COLUMNS, ACCOUNT] : COLUMNS}
              rows={held}
              rowKey={({ symbol, account }) => `${account.id} ${symbol}`}
              card={({ symbol, account, quantity, paid, stop, atStop, isOpen }) => (
                <div className="flex flex-col gap-1">
                  <div className="flex items-center justify-between gap-3">
                    <span className="font-semibold">
                      <SymbolLink symbol={symbol} />
                    </span>
                    <Amount value={atStop} isChange />
                  </div>
                  <span className="text-xs text-muted">
                    {quantity === null ? "Shares changed by a split" : quantityText(quantity)}
                    {paid !== null && (
                      <>
                        {" "}
                        at <Money value={paid} />
                      </>
                    )}
                    , stop <Amount value={stop} />, {isOpen ? "still held" : "sold since"}
                    {hasSeveral && `, ${account.name}`}
                  </span>
                </div>
              )}
            />
          </div>
        </>
      )}
    </Card>
  );
}
