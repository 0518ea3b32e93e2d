"use client";
import { useState } from "react";
import { operationsApi } from "@/lib/contracts/operations.ts";
import { useAction } from "../../../_hooks/use-action.ts";
import { Badge } from "../../../_ui/badge.tsx";
import { Button } from "../../../_ui/button.tsx";
import { Time } from "../../../_ui/time.tsx";
import { ReasonDialog } from "../../reason-dialog.tsx";
import type { RowsProps } from "./operations-screen.tsx";
import { Where } from "./where.tsx";

type Parked = RowsProps<"parked">["rows"][number];
type Working = RowsProps<"working">["rows"][number];

const orderText = ({ side, qty, symbol }: Pick<Parked, "side" | "symbol"> & { qty: string | null }) =>
  `${side === "BUY" ? "Buy" : "Sell"} ${qty === null ? "" : `${qty} `}${symbol}`;

/** Orders of which the broker never said what became of them. */
export function ParkedRows({ rows, onDone }: RowsProps<"parked">) {
  const [open, setOpen] = useState<{ row: Parked; resolution: "adopt" | "give_up" } | null>(null);
  return (
    <>
      <ul aria-label="Parked orders" className="divide-y divide-line">
        {rows.map((row) => (
          <li key={row.id} className="flex flex-col gap-2 py-3 text-sm first:pt-0 last:pb-0">
            <span className="flex flex-wrap items-center gap-2">
              <span className="font-medium">{orderText(row)}</span>
              <Time at={row.decidedAt} />
              {!row.needsPerson && <Badge tone="warn">the broker is still asked</Badge>}
            </span>
            <Where of={row} />
            <span className="wrap-anywhere">{row.why ?? "No reason was kept"}</span>
            <span className="flex flex-wrap gap-3">
              <Button tone="secondary" onClick={() => setOpen({ row, resolution: "adopt" })}>
                Adopt
              </Button>
              <Button tone="secondary" onClick={() => setOpen({ row, resolution: "give_up" })}>
                Abandon
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {open !== null && (
        <ResolveDialog
          {...open}
          onClose={() => setOpen(null)}
          onDone={(note) => {
            setOpen(null);
            onDone(note);
          }}
        />
      )}
    </>
  );
}

const OUTCOMES = {
  ours: "The broker's order counts as Tradewind's.",
  external: "The broker's order stays as an external one; Tradewind's decision is closed.",
  none: "The broker never had the order; Tradewind's decision is closed.",
};

interface ResolveProps {
  row: Parked;
  resolution: "adopt" | "give_up";
  onClose: () => void;
  onDone: (note: string) => void;
}

function ResolveDialog({ row, resolution, onClose, onDone }: ResolveProps) {
  const act = useAction(operationsApi.resolveParked, { refreshes: [operationsApi.read] });
  const isAdoption = resolution === "adopt";
  return (
    <ReasonDialog
      onClose={onClose}
      title={`${isAdoption ? "Adopt" : "Abandon"}: ${orderText(row)}`}
      description={
        isAdoption
          ? "The broker's order is taken over as it stands."
          : "Anything still open at the broker is cancelled, and Tradewind's decision is closed. It is never sent again."
      }
      phrase={isAdoption ? null : "ABANDON"}
      action={isAdoption ? "Adopt order" : "Abandon order"}
      isBusy={act.isBusy}
      failure={act.failure}
      failureText="The order is still parked"
      onConfirm={(reason) =>
        act.run({ id: row.id, resolution, reason }, { onSuccess: ({ order }) => onDone(OUTCOMES[order]) })
      }
    />
  );
}

/** Orders that work by our records in accounts that are halted. */
export function WorkingRows({ rows, onDone }: RowsProps<"working">) {
  const [open, setOpen] = useState<Working | null>(null);
  const act = useAction(operationsApi.closeUnknown, { refreshes: [operationsApi.read] });
  return (
    <>
      <ul aria-label="Working orders of halted accounts" className="divide-y divide-line">
        {rows.map((row) => (
          <li key={row.id} className="flex flex-col gap-2 py-3 text-sm first:pt-0 last:pb-0">
            <span className="flex flex-wrap items-center gap-2">
              <span className="font-medium">{orderText(row)}</span>
              <Badge>{row.status.toLowerCase().replaceAll("_", " ")}</Badge>
              <Time at={row.createdAt} />
              {row.isMissing && <Badge tone="loss">not known to the broker</Badge>}
            </span>
            <Where of={row} />
            <span>
              <Button tone="secondary" onClick={() => setOpen(row)}>
                Close as unknown
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {open !== null && (
        <ReasonDialog
          onClose={() => {
            setOpen(null);
            act.reset();
          }}
          title={`Close: ${orderText(open)}`}
          description="The broker is asked twice, five seconds apart. The order counts as cancelled only if the broker does not know it and positions agree."
          phrase="CLOSE"
          action="Close order"
          isBusy={act.isBusy}
          failure={act.failure}
          failureText="The order was not closed"
          onConfirm={(reason) =>
            act.run(
              { id: open.id, reason },
              {
                onSuccess: () => {
                  setOpen(null);
                  onDone("The order is closed as cancelled. The account stays halted until it is resumed.");
                },
              },
            )
          }
        />
      )}
    </>
  );
}
