"use client";
import { useState } from "react";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { portfolioApi } from "@/lib/contracts/portfolio.ts";
import { positionsApi } from "@/lib/contracts/positions.ts";
import { symbolsApi } from "@/lib/contracts/symbols.ts";
import { moneyText, quantityText } from "@/lib/domain/format.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { Banner } from "../../_ui/banner.tsx";
import { Button } from "../../_ui/button.tsx";
import { Dialog } from "../../_ui/dialog.tsx";
import { TextField } from "../../_ui/field.tsx";
import { AmountsText, Money } from "../../_ui/money.tsx";
import { TypedDialog } from "../../_ui/typed-dialog.tsx";
import { isUnsure, settling } from "./asked-once.ts";
import type { HeldShares } from "./position-actions.tsx";

interface TightenDialogProps {
  held: HeldShares;
  /** USD; the stop in force. */
  stopPrice: number;
  requestId: string;
  /** The server said what became of the request: the next one is another. */
  onSettled: () => void;
  onClose: () => void;
}

/** Raises the stop of a position after its symbol is typed; only upwards. */
export function TightenDialog({ held, stopPrice, requestId, onSettled, onClose }: TightenDialogProps) {
  const { accountId, symbol, price } = held;
  const [typed, setTyped] = useState("");
  const [done, setDone] = useState<Answer<typeof positionsApi.tightenStop> | null>(null);
  const tightening = useAction(positionsApi.tightenStop, {
    refreshes: [portfolioApi.summary, portfolioApi.positions, symbolsApi.position],
  });
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
  const level = typed.trim() === "" ? null : Number(typed.replaceAll(",", ""));
  const problem = level === null ? null : problemOf(level, { stopPrice, price });
  const run = () => {
    if (level === null || problem !== null) return;
    const input = { accountId, symbol, requestId, confirmation: symbol, stopPrice: level };
    tightening.run(input, settling(setDone, onSettled));
  };
  return (
    <TypedDialog
      isOpen
      onClose={onClose}
      title={`Tighten the stop of ${symbol}?`}
      description="The stop is raised at your broker, where the old one or the new one rests at every moment. It cannot be lowered again."
      phrase={symbol}
      action={tightening.isBusy ? "Raising..." : "Raise the stop"}
      isBusy={tightening.isBusy || level === null || problem !== null}
      onConfirm={run}
    >
      <TextField
        label="New stop, USD"
        inputMode="decimal"
        value={typed}
        disabled={tightening.isBusy || isUnsure(tightening.failure)}
        hint={`More than ${moneyText(stopPrice)}${price === null ? "" : `, and below the price of ${moneyText(price)}`}.`}
        error={problem ?? undefined}
        onChange={(event) => setTyped(event.target.value)}
      />
      {level !== null && problem === null && <NewRisk held={held} stopPrice={stopPrice} level={level} />}
      {tightening.failure !== null && (
        <Banner kind="failure" detail={<AmountsText text={tightening.failure.message} />}>
          {isUnsure(tightening.failure)
            ? "It is not known whether the stop was raised. Try again to check"
            : "The stop was not raised"}
        </Banner>
      )}
    </TypedDialog>
  );
}

function problemOf(level: number, { stopPrice, price }: { stopPrice: number; price: number | null }): string | null {
  if (!Number.isFinite(level)) return "Enter a price, such as 101.50.";
  if (level <= stopPrice) return `The stop rests at ${moneyText(stopPrice)}: enter more than that.`;
  if (price !== null && level >= price) return `The price is ${moneyText(price)}: enter less than that.`;
  return null;
}

/** What the position would lose from the price to the stop, before and after. */
function NewRisk({ held, stopPrice, level }: { held: HeldShares; stopPrice: number; level: number }) {
  const { qty, symbol, price } = held;
  return (
    <ul className="list-disc pl-5 text-sm tabular-nums">
      <li>
        if the price falls to it, {quantityText(qty)} {symbol} are sold for about <Money value={qty * level} />
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
