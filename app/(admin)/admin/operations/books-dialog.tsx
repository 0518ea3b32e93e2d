"use client";
import { useState } from "react";
import { operationsApi } from "@/lib/contracts/operations.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { moneyText, signedMoneyText } from "@/lib/domain/format.ts";
import { useAction } from "../../../_hooks/use-action.ts";
import { AmountsText } from "../../../_ui/money.tsx";
import { ReasonDialog } from "../../reason-dialog.tsx";
import { PreviewStep } from "./preview-step.tsx";

type Books = Answer<typeof operationsApi.previewBooks>;

interface BooksDialogProps {
  row: { accountId: string; account: string };
  onClose: () => void;
  onDone: (note: string) => void;
}

/** First a preview of what would change, read from the broker; then exactly that is booked. */
export function BooksDialog({ row, onClose, onDone }: BooksDialogProps) {
  const [books, setBooks] = useState<Books | null>(null);
  const reading = useAction(operationsApi.previewBooks);
  const act = useAction(operationsApi.takeBooks, { refreshes: [operationsApi.read] });
  return (
    <ReasonDialog
      onClose={onClose}
      title={`Take over the broker's books: ${row.account}`}
      description="Shares that only the broker has are booked as bought at its average price, missing ones as sold at cost, and any cash difference left counts as a deposit or withdrawal. The halt stays."
      phrase="TAKE"
      action="Take over exactly this"
      isBusy={act.isBusy}
      isReady={books !== null}
      failure={act.failure}
      failureText="Nothing was booked"
      onConfirm={(reason) => {
        if (books === null) return;
        act.run(
          { id: row.accountId, hash: books.hash, reason },
          {
            onSuccess: ({ differing }) =>
              onDone(
                differing.length === 0
                  ? "Booked. Positions agree with the broker's."
                  : `Booked. Positions still differ: ${differing.join(", ")}.`,
              ),
          },
        );
      }}
    >
      <PreviewStep
        isBusy={reading.isBusy}
        failure={reading.failure}
        onPreview={() => reading.run({ id: row.accountId }, { onSuccess: setBooks })}
      >
        {books && <Changes books={books} />}
      </PreviewStep>
    </ReasonDialog>
  );
}

function Changes({ books: { adjustments, cash } }: { books: Books }) {
  return (
    <>
      {adjustments.length === 0 && <li>Positions agree.</li>}
      {adjustments.map(({ symbol, ours, theirs, side, qty, price, split }) => (
        <li key={symbol}>
          {symbol}: {ours} here, {theirs} at the broker.{" "}
          {split === null ? (
            <>
              {side === "BUY" ? "Bought" : "Sold"}: {qty} at <AmountsText text={moneyText(price)} />.
            </>
          ) : (
            `Split: ${split.ratio} new shares for each old one.`
          )}
        </li>
      ))}
      <li>
        <AmountsText
          text={`Cash: ${moneyText(cash.ours)} by our records, ${moneyText(cash.adjusted)} with these shares, ${moneyText(cash.theirs)} at the broker.`}
        />
      </li>
      <li>
        {cash.flow === 0 ? (
          "No money is left over."
        ) : (
          <AmountsText
            text={`${signedMoneyText(cash.flow)} counts as a ${cash.flow > 0 ? "deposit" : "withdrawal"}.`}
          />
        )}
      </li>
    </>
  );
}
