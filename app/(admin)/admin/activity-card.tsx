"use client";
import { Server, Settings, Shield, TrendingUp, Wallet } from "lucide-react";
import Link from "next/link";
import { consoleApi } from "@/lib/contracts/console.ts";
import type { ActivityIcon } from "@/lib/domain/console.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { Card } from "../../_ui/card.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { AmountsText } from "../../_ui/money.tsx";
import { Skeleton } from "../../_ui/skeleton.tsx";
import { Time } from "../../_ui/time.tsx";

const POLL_MS = 10_000;
/** As many as the specification shows. */
const SHOWN = 4;

const ICONS: Record<ActivityIcon, typeof Shield> = {
  shield: Shield,
  wallet: Wallet,
  "trending-up": TrendingUp,
  settings: Settings,
  server: Server,
};

export function ActivityCard({ className }: { className: string }) {
  const { data, failure, retry } = useEndpoint(consoleApi.recentActivity, { limit: SHOWN }, { pollMs: POLL_MS });
  return (
    <Card
      title="Recent Activity"
      className={className}
      aside={
        <Link href="/logs?tab=audit" className="tap text-sm font-medium text-accent hover:underline">
          All Audit Logs
        </Link>
      }
    >
      {failure !== null && (
        <FailureNote text="Failed to load recent activity" detail={failure.message} onRetry={retry} />
      )}
      {data === undefined && failure === null && <Skeleton className="h-40 w-full" />}
      {data?.activities.length === 0 && <p className="text-sm text-muted">Nothing has happened yet.</p>}
      <ul className="divide-y divide-line">
        {data?.activities.slice(0, SHOWN).map(({ id, icon, description, timestamp }) => {
          const Icon = ICONS[icon];
          return (
            <li key={id} className="flex items-start gap-3 py-2.5 text-sm first:pt-0 last:pb-0">
              <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
              <span className="min-w-0 flex-1 wrap-anywhere">
                <AmountsText text={description} />
              </span>
              <span className="shrink-0 text-xs text-muted">
                <Time at={timestamp} />
              </span>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
