"use client";
import { useState } from "react";
import type { Environment } from "@/lib/domain/enums.ts";
import { Button } from "../../_ui/button.tsx";
import { newRequestId } from "./new-request-id.ts";
import { SellDialog } from "./sell-dialog.tsx";
import { TightenDialog } from "./tighten-dialog.tsx";

export interface HeldShares {
  accountId: string;
  symbol: string;
  qty: number;
  /** USD; null where none is known. */
  price: number | null;
  /** USD; the stop in force, null where none rests. */
  stopPrice: number | null;
  environment: Environment;
}

/**
 * What an owner does to a position by hand: sell it, or tighten its stop. The id of a request outlives its dialog until the
 * server said what became of it, so that asking again after a lost answer never makes a second order.
 */
export function PositionActions({ isGone, ...held }: HeldShares & { isGone: boolean }) {
  const [open, setOpen] = useState<"sell" | "tighten" | null>(null);
  const [saleId, setSaleId] = useState(newRequestId);
  const [stopId, setStopId] = useState(newRequestId);
  const close = () => setOpen(null);
  return (
    <div className="flex flex-wrap gap-3">
      {!isGone && (
        <>
          <Button tone="danger" onClick={() => setOpen("sell")}>
            Sell now
          </Button>
          <Button tone="secondary" disabled={held.stopPrice === null} onClick={() => setOpen("tighten")}>
            Tighten stop
          </Button>
        </>
      )}
      {open === "sell" && (
        <SellDialog held={held} requestId={saleId} onSettled={() => setSaleId(newRequestId())} onClose={close} />
      )}
      {open === "tighten" && held.stopPrice !== null && (
        <TightenDialog
          held={held}
          stopPrice={held.stopPrice}
          requestId={stopId}
          onSettled={() => setStopId(newRequestId())}
          onClose={close}
        />
      )}
    </div>
  );
}
