"use client";
import { useState } from "react";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { positionsApi, sellPhrase } from "@/lib/contracts/positions.ts";
import { quantityText } from "@/lib/domain/format.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { Banner } from "../../_ui/banner.tsx";
import { ButtonLink } from "../../_ui/button-link.tsx";
import { Button } from "../../_ui/button.tsx";
import { Dialog } from "../../_ui/dialog.tsx";
import { TextField } from "../../_ui/field.tsx";
import { AmountsText, Money } from "../../_ui/money.tsx";
import { TypedDialog } from "../../_ui/typed-dialog.tsx";
import type { HeldShares } from "./position-actions.tsx";
import { wholeNumberIn } from "./typed-number.ts";
import type { AskedOnce } from "./use-asked-once.ts";

type Sale = Answer<typeof positionsApi.sell>;

interface SellDialogProps {
  held: HeldShares;
  selling: AskedOnce<typeof positionsApi.sell>;
  onClose: () => void;
}

const POLL_MS = 1_500;

/** Sells all or some shares at market, after the words are typed, and follows the order until it is filled. */
export function SellDialog({ held, selling, onClose }: SellDialogProps) {
  const { accountId, symbol, qty: shares } = held;
  const [typed, setTyped] = useState(quantityText(shares));
  const { sent, answer: sale, requestId, failure } = selling;
  if (sale !== null && sale.state !== "not_sent") return <SaleProgress sale={sale} onClose={onClose} />;
  const all = quantityText(shares);
  const isAll = typed.trim() === all;
  const number = isAll ? shares : wholeNumberIn(typed);
  const asked = number !== null && (isAll || (number >= 1 && number <= shares)) ? number : null;
  const run = () => {
    if (sent !== null) selling.askAgain();
    else if (asked !== null)
      selling.ask({ accountId, symbol, requestId, confirmation: sellPhrase(symbol), qty: isAll ? null : asked });
  };
  return (
    <TypedDialog
      isOpen
      onClose={onClose}
      title={`Sell ${symbol} now?`}
      description={
        held.environment === "LIVE"
          ? `In ${held.account}, the shares are sold at the market price, with real money. A sale cannot be taken back.`
          : `In ${held.account}, the shares are sold at the market price. A sale cannot be taken back.`
      }
      phrase={sellPhrase(symbol)}
      action={selling.isBusy ? "Selling..." : "Sell now"}
      isBusy={selling.isBusy || (sent === null && asked === null)}
      onConfirm={run}
    >
      {sent === null ? (
        <TextField
          label="Shares to sell"
          inputMode="decimal"
          value={typed}
          hint={`You hold ${all}.`}
          error={asked === null ? `Enter whole shares, ${all} at most.` : undefined}
          onChange={(event) => setTyped(event.target.value)}
        />
      ) : (
        // What is held by now may be what the sale left.
        <TextField label="Shares to sell" value={askedText(sent.qty)} disabled readOnly />
      )}
      {sent === null && asked !== null && <WhatHappens held={held} asked={asked} isAll={isAll} />}
      {sale?.state === "not_sent" && <Banner kind="failure">{<AmountsText text={sale.message} />}</Banner>}
      {failure !== null && (
        <Banner kind="failure" detail={<AmountsText text={failure.message} />}>
          {sent === null
            ? "Nothing was sold"
            : "It is not known whether the order was sent. Press Sell now again to check: it is never sent twice"}
        </Banner>
      )}
    </TypedDialog>
  );
}

const askedText = (qty: number | null | undefined) => (typeof qty === "number" ? quantityText(qty) : "All");

function WhatHappens({ held, asked, isAll }: { held: HeldShares; asked: number; isAll: boolean }) {
  const { symbol, qty, price, stopPrice } = held;
  return (
    <ul className="list-disc pl-5 text-sm tabular-nums">
      <li>
        {quantityText(asked)} {symbol}
        {price === null ? (
          " at the market price"
        ) : (
          <>
            {" "}
            would bring about <Money value={asked * price} /> at <Money value={price} /> per share
          </>
        )}
      </li>
      {stopPrice !== null && (
        <li>
          the stop at <Money value={stopPrice} /> is cancelled first
          {isAll ? "" : `; ${restText(qty, asked)}`}
        </li>
      )}
      <li>{isAll ? `Tradewind does not buy ${symbol} again in this session` : "Tradewind keeps managing the rest"}</li>
    </ul>
  );
}

/** What becomes of the rest: a stop is of whole shares. */
function restText(qty: number, asked: number): string {
  const rest = quantityText(qty - asked);
  const whole = Math.floor(qty) - asked;
  if (whole <= 0) return `the remaining ${rest} shares stay without a stop`;
  const get = whole === 1 ? "gets it again at once" : "get it again at once";
  if (Number.isInteger(qty)) return `the remaining ${rest} ${whole === 1 ? "share" : "shares"} ${get}`;
  return `of the remaining ${rest} shares, ${quantityText(whole)} ${get}`;
}

const KINDS = { filled: "success", ended: "warning", sent: "warning", asking: "warning", not_sent: "failure" } as const;
const TITLES = {
  filled: "Sold",
  ended: "The order ended",
  sent: "The order is at the broker",
  asking: "The broker is being asked",
  not_sent: "Nothing was sold",
} as const;

const OVER = {
  filled: "It is done.",
  ended: "Nothing more comes of it.",
  not_sent: "No order is at the broker.",
} as const;

/** The order from the broker's answer to its end; closing the dialog leaves it open. */
function SaleProgress({ sale, onClose }: { sale: Sale; onClose: () => void }) {
  const isAtWork = (state: Sale["state"]): state is "sent" | "asking" => state === "sent" || state === "asking";
  const [isFollowed, setFollowed] = useState(isAtWork(sale.state));
  const { requestId } = sale;
  const read = useEndpoint(positionsApi.readSale, { requestId }, { pollMs: POLL_MS, isEnabled: isFollowed });
  const { state, message, symbol, tradeId } = read.data ?? sale;
  if (isFollowed && !isAtWork(state)) setFollowed(false);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Selling ${symbol}`}
      description={
        isAtWork(state)
          ? "You can close this: the order stays active, and a notification tells you when it is filled."
          : OVER[state]
      }
    >
      <Banner kind={KINDS[state]} detail={<AmountsText text={message} />}>
        {TITLES[state]}
      </Banner>
      <div className="flex flex-wrap justify-end gap-3">
        {tradeId !== null && (
          <ButtonLink tone="secondary" href={`/trade-history/${tradeId}`}>
            See the trade
          </ButtonLink>
        )}
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}
