"use client";
import { ArrowUpRight } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { tradesApi } from "@/lib/contracts/trades.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { TRADE_POLL_MS } from "./labels.ts";
import { SidePanel } from "../../_ui/side-panel.tsx";
import { SkeletonCard } from "../../_ui/skeleton.tsx";

// The list is read without it: it comes with the first trade that is opened.
const TradeBody = dynamic(() => import("./trade-body.tsx").then((part) => part.TradeBody), {
  ssr: false,
  loading: () => <SkeletonCard className="h-44" />,
});

interface TradePanelProps {
  /** "" when none is open. */
  id: string;
  isAdmin: boolean;
  onClose: () => void;
}

/** A trade beside the list. */
export function TradePanel({ id, isAdmin, onClose }: TradePanelProps) {
  return (
    <SidePanel isOpen={id !== ""} onClose={onClose} title="Trade">
      {id !== "" && <PanelBody key={id} id={id} isAdmin={isAdmin} />}
    </SidePanel>
  );
}

function PanelBody({ id, isAdmin }: { id: string; isAdmin: boolean }) {
  const trade = useEndpoint(isAdmin ? tradesApi.readAny : tradesApi.read, { id }, { pollMs: TRADE_POLL_MS });
  return (
    <div className="flex flex-col gap-5">
      <Link
        href={`/trade-history/${id}`}
        className="tap inline-flex min-h-6 items-center gap-1 self-start rounded-sm font-medium text-accent underline-offset-4 hover:underline"
      >
        Open its page
        <ArrowUpRight aria-hidden className="size-4" />
      </Link>
      <TradeBody trade={trade} />
    </div>
  );
}
