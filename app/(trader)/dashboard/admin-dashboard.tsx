"use client";
import { tradesApi } from "@/lib/contracts/trades.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { useEnvironment } from "../../_hooks/use-environment.ts";
import { ButtonLink } from "../../_ui/button-link.tsx";
import { Card } from "../../_ui/card.tsx";
import { EnvironmentSwitch } from "../../_ui/environment-switch.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { PageHead } from "../../_ui/page-head.tsx";
import { AmountsToggle } from "./amounts-toggle.tsx";
import { TradeStatsCard } from "./trade-stats-card.tsx";

const POLL_MS = 10_000;

/** The system's side of the dashboard; an administrator has no positions. */
export function AdminDashboard({ firstName }: { firstName: string }) {
  const { input } = useEnvironment();
  const trades = useEndpoint(tradesApi.listAll, { ...input, limit: 1 }, { pollMs: POLL_MS });
  return (
    <div className="flex flex-col gap-4">
      <PageHead
        title="Dashboard"
        environment={<EnvironmentSwitch of={trades.data ?? undefined} />}
        isStale={trades.isStale}
      >
        <AmountsToggle />
      </PageHead>
      {trades.failure !== null && (
        <FailureNote
          text="Failed to load dashboard data"
          detail={trades.failure.message || "Failed to fetch trades"}
          onRetry={trades.retry}
        />
      )}
      <div className="grid items-start gap-4 *:min-w-0 lg:grid-cols-3">
        <Card title={`Signed in as administrator, ${firstName}`} className="lg:col-span-2">
          <p className="max-w-prose">
            System figures, health and controls come with the admin console, a page of its own. The trades and the
            activity of all users are here today.
          </p>
          <div className="mt-4 flex flex-wrap gap-3">
            <ButtonLink href="/trade-history">Trade History</ButtonLink>
            <ButtonLink tone="secondary" href="/logs">
              Activity &amp; Logs
            </ButtonLink>
          </div>
        </Card>
        <TradeStatsCard
          endpoint={tradesApi.listAll}
          total={trades.data?.summary}
          isReady={!trades.isLoading}
          aside={<span className="text-xs text-muted">All users</span>}
        />
      </div>
    </div>
  );
}
