"use client";
import { ChevronLeft } from "lucide-react";
import Link from "next/link";
import { tradesApi } from "@/lib/contracts/trades.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { useSession } from "../../_hooks/use-session.ts";
import { PageHead } from "../../_ui/page-head.tsx";
import { TradeBody } from "./trade-body.tsx";

/** A trade that is not final yet changes while it is looked at. */
const POLL_MS = 10_000;

export function TradeScreen({ id }: { id: string }) {
  const { user } = useSession();
  if (!user) return null;
  return <OneTrade id={id} isAdmin={user.role === "ADMIN"} />;
}

function OneTrade({ id, isAdmin }: { id: string; isAdmin: boolean }) {
  const trade = useEndpoint(isAdmin ? tradesApi.readAny : tradesApi.read, { id }, { pollMs: POLL_MS });
  return (
    <div className="@container flex flex-col gap-4">
      <Link
        href="/trade-history"
        className="tap flex min-h-6 items-center gap-1 self-start rounded-sm text-muted hover:text-ink"
      >
        <ChevronLeft aria-hidden className="size-4" />
        All trades
      </Link>
      <PageHead
        title={trade.data ? `${trade.data.side === "BUY" ? "Buy" : "Sell"} ${trade.data.symbol}` : "Trade"}
        environments={trade.data ? [trade.data.account.environmentLabel] : []}
        isStale={trade.isStale}
      />
      <TradeBody trade={trade} />
    </div>
  );
}
