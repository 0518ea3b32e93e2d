"use client";
import { useState } from "react";
import type { positionsApi } from "@/lib/contracts/positions.ts";
import { moneyText, quantityText } from "@/lib/domain/format.ts";
import { Banner } from "../../_ui/banner.tsx";
import { Button } from "../../_ui/button.tsx";
import { Dialog } from "../../_ui/dialog.tsx";
import { TextField } from "../../_ui/field.tsx";
import { AmountsText, Money } from "../../_ui/money.tsx";
import { TypedDialog } from "../../_ui/typed-dialog.tsx";
import type { HeldShares } from "./position-actions.tsx";
import { priceIn } from "./typed-number.ts";
import type { AskedOnce } from "./use-asked-once.ts";

interface TightenDialogProps {
  held: HeldShares;
  tightening: AskedOnce<typeof positionsApi.tightenStop>;
  onClose: () => void;
}

/** Raises the stop of a position after its symbol is typed; only upwards. */
export function TightenDialog({ held, tightening, onClose }: TightenDialogProps) {
  const { accountId, symbol, stopPrice } = held;
  const [typed, setTyped] = useState("");
  const { sent, answer: done, requestId, failure } = tightening;
  if (done !== null)
    return (
      <Dialog isOpen onClose={onClose} title={`The stop of ${symbol}`} description="It rests at your broker.">
        <Banner kind="success">
          <AmountsText text={done.message} />
        </Banner>
        <Button className="self-end" onClick={onClose}>
          Close
        </Button>
      </Dialog>
    );
  const level = priceIn(typed);
  const problem = typed.trim() === "" ? null : problemOf(level, held);
  const isReady = sent !== null || (level !== null && problem === null);
  const run = () => {
    if (sent !== null) tightening.askAgain();
    else if (level !== null && problem === null)
      tightening.ask({ accountId, symbol, requestId, confirmation: symbol, stopPrice: level });
  };
  return (
    <TypedDialog
      isOpen
      onClose={onClose}
      title={`Tighten the stop of ${symbol}?`}
      description={`In ${held.account}, the stop is raised at your broker, where the old one or the new one rests at every moment. It cannot be lowered again.`}
      phrase={symbol}
      action={tightening.isBusy ? "Raising..." : "Raise the stop"}
      isBusy={tightening.isBusy || !isReady}
      onConfirm={run}
    >
      {sent === null ? (
        <TextField
          label="New stop, USD"
          inputMode="decimal"
          value={typed}
          hint={hintOf(held)}
          error={problem ?? undefined}
          onChange={(event) => setTyped(event.target.value)}
        />
      ) : (
        // The stop may rest there by now.
        <TextField label="New stop, USD" value={String(sent.stopPrice)} disabled readOnly />
      )}
      {sent === null && level !== null && problem === null && stopPrice !== null && (
        <NewRisk held={held} stopPrice={stopPrice} level={level} />
      )}
      {failure !== null && (
        <Banner kind="failure" detail={<AmountsText text={failure.message} />}>
          {failureTitle(tightening)}
        </Banner>
      )}
    </TypedDialog>
  );
}

function failureTitle({ sent, isRepeat }: Pick<TightenDialogProps["tightening"], "sent" | "isRepeat">): string {
  if (sent !== null) return "It is not known whether the stop was raised. Try again to check";
  // It may have rested there in between: the lost request can have raised it before it sold.
  return isRepeat ? "The stop does not rest at that price" : "The stop was not raised";
}

function hintOf({ stopPrice, price }: HeldShares): string {
  if (stopPrice === null) return "No stop rests right now: it is being placed.";
  return `More than ${moneyText(stopPrice)}${price === null ? "" : `, and below the price of ${moneyText(price)}`}.`;
}

function problemOf(level: number | null, { stopPrice, price }: HeldShares): string | null {
  if (level === null) return "Enter a price, such as 101.50.";
  if (stopPrice === null) return "No stop rests right now. Try again in a moment.";
  if (level <= stopPrice) return `The stop rests at ${moneyText(stopPrice)}: enter more than that.`;
  if (price !== null && level >= price) return `The price is ${moneyText(price)}: enter less than that.`;
  return null;
}

/** What the shares that the stop covers would lose from the price to it, before and after. */
function NewRisk({ held, stopPrice, level }: { held: HeldShares; stopPrice: number; level: number }) {
  const { symbol, price } = held;
  const qty = Math.min(held.qty, held.covered);
  return (
    <ul className="list-disc pl-5 text-sm tabular-nums">
      <li>
        if the price falls to it, {quantityText(qty)} {symbol} {qty === 1 ? "is" : "are"} sold for about{" "}
        <Money value={qty * level} />
      </li>
      {price !== null && (
        <li>
          from the current price, that risks <Money value={(price - level) * qty} />, instead of{" "}
          <Money value={(price - stopPrice) * qty} />
        </li>
      )}
      <li>a fast fall may sell for less than the stop</li>
      <li>the trailing stop continues from there, upwards only</li>
    </ul>
  );
}
