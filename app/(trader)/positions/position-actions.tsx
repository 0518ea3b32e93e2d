"use client";
import { useState } from "react";
import { portfolioApi } from "@/lib/contracts/portfolio.ts";
import { positionsApi } from "@/lib/contracts/positions.ts";
import { symbolsApi } from "@/lib/contracts/symbols.ts";
import { tradesApi } from "@/lib/contracts/trades.ts";
import type { Environment } from "@/lib/domain/enums.ts";
import { Button } from "../../_ui/button.tsx";
import { SellDialog } from "./sell-dialog.tsx";
import { TightenDialog } from "./tighten-dialog.tsx";
import { useAskedOnce } from "./use-asked-once.ts";

export interface HeldShares {
  accountId: string;
  /** What the account is called. */
  account: string;
  symbol: string;
  qty: number;
  /** Shares that stops at the broker would sell. */
  covered: number;
  /** USD; null where none is known. */
  price: number | null;
  /** USD; the stop in force, null where none rests. */
  stopPrice: number | null;
  environment: Environment;
}

const OF_STOP = [portfolioApi.summary, portfolioApi.positions, symbolsApi.position];

/**
 * What an owner does to a position by hand: sell it, or tighten its stop. While it is not known what became of a request, its
 * button stays, whatever became of the position: it asks again and makes no second order.
 */
export function PositionActions({ isGone, ...held }: HeldShares & { isGone: boolean }) {
  const [open, setOpen] = useState<"sell" | "tighten" | null>(null);
  const selling = useAskedOnce(positionsApi.sell, [...OF_STOP, tradesApi.list]);
  const tightening = useAskedOnce(positionsApi.tightenStop, OF_STOP);
  const close = () => {
    setOpen(null);
    (open === "sell" ? selling : tightening).close();
  };
  return (
    <div className="flex flex-wrap gap-3">
      {(!isGone || selling.sent !== null) && (
        <Button tone="danger" onClick={() => setOpen("sell")}>
          Sell now
        </Button>
      )}
      {(!isGone || tightening.sent !== null) && (
        <Button
          tone="secondary"
          disabled={held.stopPrice === null && tightening.sent === null}
          onClick={() => setOpen("tighten")}
        >
          Tighten stop
        </Button>
      )}
      {open === "sell" && <SellDialog held={held} selling={selling} onClose={close} />}
      {open === "tighten" && <TightenDialog held={held} tightening={tightening} onClose={close} />}
    </div>
  );
}
