"use client";
import { tradesApi } from "@/lib/contracts/trades.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { useSession } from "../../_hooks/use-session.ts";
import { BackLink } from "../../_ui/back-link.tsx";
import { PageHead } from "../../_ui/page-head.tsx";
import { TRADE_POLL_MS } from "./labels.ts";
import { TradeBody } from "./trade-body.tsx";

export function TradeScreen({ id }: { id: string }) {
  const { user } = useSession();
  if (!user) return null;
  return <OneTrade id={id} isAdmin={user.role === "ADMIN"} />;
}

function OneTrade({ id, isAdmin }: { id: string; isAdmin: boolean }) {
  const trade = useEndpoint(isAdmin ? tradesApi.readAny : tradesApi.read, { id }, { pollMs: TRADE_POLL_MS });
  return (
    <div className="@container flex flex-col gap-4">
      <BackLink href="/trade-history">All trades</BackLink>
      <PageHead
        title={trade.data ? `${trade.data.side === "BUY" ? "Buy" : "Sell"} ${trade.data.symbol}` : "Trade"}
        isStale={trade.isStale}
      />
      <TradeBody trade={trade} />
    </div>
  );
}
