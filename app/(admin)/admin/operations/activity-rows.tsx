"use client";
import { useState } from "react";
import { operationsApi } from "@/lib/contracts/operations.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { dateText, moneyText, sharesText, signedMoneyText } from "@/lib/domain/format.ts";
import { useAction } from "../../../_hooks/use-action.ts";
import { Button } from "../../../_ui/button.tsx";
import { TextField } from "../../../_ui/field.tsx";
import { AmountsText } from "../../../_ui/money.tsx";
import { ReasonDialog } from "../../reason-dialog.tsx";
import type { RowsProps } from "./operations-screen.tsx";
import { PreviewStep } from "./preview-step.tsx";
import { Where } from "./where.tsx";

type Activity = RowsProps<"activities">["rows"][number];
type Preview = Answer<typeof operationsApi.previewActivity>;

/** Legs of one account and day: a corporate action is booked as a whole. */
function legsOf(rows: readonly Activity[], row: Activity): Activity[] {
  return rows.filter(
    ({ accountId, date, type }) => accountId === row.accountId && date === row.date && type === row.type,
  );
}

/** What the broker reported and the product cannot book by itself. */
export function ActivityRows({ rows, onDone }: RowsProps<"activities">) {
  const [open, setOpen] = useState<{ row: Activity; what: "book" | "dismiss" } | null>(null);
  const done = (note: string) => {
    setOpen(null);
    onDone(note);
  };
  return (
    <>
      <ul aria-label="Activities to book" className="divide-y divide-line">
        {rows.map((row) => (
          <li
            key={`${row.accountId} ${row.activityId}`}
            className="flex flex-col gap-2 py-3 text-sm first:pt-0 last:pb-0"
          >
            <span className="font-medium">
              {row.type}
              {row.symbol !== null && ` of ${row.symbol}`}, {dateText(row.date)}:{" "}
              {row.qty === null ? "no shares" : sharesText(Number(row.qty))},{" "}
              <AmountsText text={signedMoneyText(row.amount)} />
            </span>
            <Where of={row} />
            <span className="flex flex-wrap gap-3">
              <Button tone="secondary" onClick={() => setOpen({ row, what: "book" })}>
                Book
              </Button>
              <Button tone="secondary" onClick={() => setOpen({ row, what: "dismiss" })}>
                Dismiss
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {open?.what === "book" && (
        <BookDialog legs={legsOf(rows, open.row)} onClose={() => setOpen(null)} onDone={done} />
      )}
      {open?.what === "dismiss" && <DismissDialog row={open.row} onClose={() => setOpen(null)} onDone={done} />}
    </>
  );
}

/** What is booked: the legs, with what was entered of what the broker leaves open. */
function choiceOf(legs: readonly Activity[], source: string, shares: Readonly<Record<string, string>>) {
  const given = Object.entries(shares).filter(([, share]) => share.trim() !== "");
  return {
    id: legs[0]!.accountId,
    activityIds: legs.map(({ activityId }) => activityId),
    ...(source.trim() === "" ? {} : { source: source.trim() }),
    ...(given.length === 0
      ? {}
      : { costShares: Object.fromEntries(given.map(([symbol, share]) => [symbol, share.trim()])) }),
  };
}

const bookedText = (differing: readonly string[]) =>
  differing.length === 0 ? "Booked. Positions agree." : `Booked. Still different: ${differing.join(", ")}.`;

interface BookProps {
  legs: Activity[];
  onClose: () => void;
  onDone: (note: string) => void;
}

/** The legs with what the broker leaves open, a preview of exactly that, then the booking. */
function BookDialog({ legs, onClose, onDone }: BookProps) {
  const [source, setSource] = useState("");
  const [shares, setShares] = useState<Record<string, string>>({});
  const [preview, setPreview] = useState<Preview | null>(null);
  const reading = useAction(operationsApi.previewActivity);
  const act = useAction(operationsApi.bookActivity, { refreshes: [operationsApi.read] });
  const incoming = legs.filter(({ qty, symbol }) => qty !== null && !qty.startsWith("-") && symbol !== null);
  const choice = choiceOf(legs, source, shares);
  return (
    <ReasonDialog
      onClose={onClose}
      title={`Book ${legs.length === 1 ? "an activity" : `${legs.length} legs of one activity`}`}
      description="Nothing is booked until you confirm the preview."
      phrase="BOOK"
      action="Book exactly this"
      isBusy={act.isBusy}
      isReady={preview !== null}
      failure={act.failure}
      failureText="Nothing was booked"
      onConfirm={(reason) => {
        if (preview === null) return;
        act.run(
          { ...choice, hash: preview.hash, reason },
          {
            onSuccess: ({ differing }) => onDone(bookedText(differing)),
          },
        );
      }}
    >
      <TextField
        label="Symbol that the shares came from (where the broker does not say)"
        value={source}
        autoComplete="off"
        onChange={(event) => {
          setSource(event.target.value);
          setPreview(null);
        }}
      />
      {incoming.map(({ activityId, symbol }) => (
        <TextField
          key={activityId}
          label={`Share of the cost that goes with ${symbol} (0 to 1; empty: as the broker says)`}
          value={shares[symbol!] ?? ""}
          inputMode="decimal"
          onChange={(event) => {
            setShares({ ...shares, [symbol!]: event.target.value });
            setPreview(null);
          }}
        />
      ))}
      <PreviewStep
        isBusy={reading.isBusy}
        failure={reading.failure}
        onPreview={() => reading.run(choice, { onSuccess: setPreview })}
      >
        {preview && <Changes of={preview} />}
      </PreviewStep>
    </ReasonDialog>
  );
}

function Changes({ of: preview }: { of: Preview }) {
  return (
    <>
      <li>
        <AmountsText text={`${preview.source} held then cost ${moneyText(preview.costHeld)}.`} />
      </li>
      {preview.incoming.map(({ symbol, qty, cost }) => (
        <li key={symbol}>
          <AmountsText text={`${symbol}: ${sharesText(Number(qty))} with ${moneyText(cost)} of that cost.`} />
        </li>
      ))}
      <li>
        <AmountsText
          text={
            preview.removed === null
              ? `${preview.source} stays, with what is left of its cost.`
              : `${preview.source}: sold ${sharesText(Number(preview.removed.qty))} for ${moneyText(preview.removed.proceeds)}.`
          }
        />
      </li>
    </>
  );
}

function DismissDialog({
  row,
  onClose,
  onDone,
}: {
  row: Activity;
  onClose: () => void;
  onDone: (note: string) => void;
}) {
  const act = useAction(operationsApi.dismissActivity, { refreshes: [operationsApi.read] });
  return (
    <ReasonDialog
      onClose={onClose}
      title={`Dismiss ${row.type}${row.symbol === null ? "" : ` of ${row.symbol}`}`}
      description="It is marked as reviewed and not booked. The records stay as they are."
      phrase="DISMISS"
      action="Dismiss activity"
      isBusy={act.isBusy}
      failure={act.failure}
      failureText="The activity was not dismissed"
      onConfirm={(reason) =>
        act.run(
          { id: row.accountId, activityIds: [row.activityId], reason },
          { onSuccess: () => onDone("The activity is dismissed. The records are unchanged.") },
        )
      }
    />
  );
}
