"use client";
import type { ReactNode } from "react";
import type { consoleApi } from "@/lib/contracts/console.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { pnlPercent, queueHealth, toneOfQueueHealth, toneOfRegime, toneOfStatus } from "@/lib/domain/console.ts";
import { countText, dateText } from "@/lib/domain/format.ts";
import { Badge } from "../../_ui/badge.tsx";
import { Card } from "../../_ui/card.tsx";
import { AmountsText, Money } from "../../_ui/money.tsx";
import { Percent } from "../../_ui/percent.tsx";
import { Stat } from "../../_ui/stat.tsx";

export type Metrics = Answer<typeof consoleApi.metrics>;

/** The answer first: whether the system runs, and what it holds. */
export function OverviewCards({ metrics }: { metrics: Metrics }) {
  const { systemStatus, systemStatusReason, portfolioSummary, accountHealth } = metrics;
  const percent = pnlPercent(portfolioSummary);
  return (
    <div className="grid gap-4 *:min-w-0 sm:grid-cols-2 xl:grid-cols-4">
      <Card title="System Status" aside={<Badge tone={toneOfStatus(systemStatus)}>{systemStatus}</Badge>}>
        <p className="text-sm text-muted">
          <AmountsText text={systemStatusReason ?? "All programs run, and nothing is stopped."} />
        </p>
      </Card>
      <Card title="Portfolio Value">
        <Figure>
          <Money value={metrics.portfolioValue} />
        </Figure>
        <p className="mt-1 text-sm">
          <Money value={portfolioSummary.pnlTotal} isChange /> {percent !== null && <Percent value={percent} />}
          <span className="text-muted"> total P&amp;L</span>
        </p>
        <Unread count={portfolioSummary.accountsUnread} />
      </Card>
      <Card title="Users">
        <dl className="grid grid-cols-2 gap-4">
          <Stat label="Total Users">{countText(metrics.totalUsers)}</Stat>
          <Stat label="Users with Alpaca Keys">{countText(metrics.usersWithAlpacaKeys)}</Stat>
        </dl>
      </Card>
      <Card title="Accounts">
        <dl className="grid grid-cols-2 gap-x-4 gap-y-2">
          <Stat label="Active">{countText(accountHealth.active)}</Stat>
          <Stat label="Paused">{countText(accountHealth.paused)}</Stat>
          <Stat label="Stopped">{countText(accountHealth.stopped)}</Stat>
          <Stat label="Halted">
            <span className={accountHealth.halted > 0 ? "text-loss" : ""}>{countText(accountHealth.halted)}</span>
          </Stat>
        </dl>
      </Card>
      <QueueCard queue={metrics.queueStatus} />
      <RegimeCard regime={metrics.regimeSignals} />
      <Card title="Audit Logs">
        <Figure>{countText(metrics.auditLogsCount)}</Figure>
        <p className="mt-1 text-sm text-muted">events in the audit trail</p>
      </Card>
      <Card title="API Metrics">
        <dl className="grid grid-cols-3 gap-4">
          <Stat label="Total">{countText(metrics.apiMetrics.total)}</Stat>
          <Stat label="Valid">{countText(metrics.apiMetrics.valid)}</Stat>
          <Stat label="Invalid">
            <span className={metrics.apiMetrics.invalid > 0 ? "text-loss" : ""}>
              {countText(metrics.apiMetrics.invalid)}
            </span>
          </Stat>
        </dl>
        <p className="mt-1 text-sm text-muted">
          {metrics.apiMetrics.timestamp === null
            ? "No provider was checked yet."
            : "Configured providers that answered the last check."}
        </p>
      </Card>
    </div>
  );
}

function Figure({ children }: { children: ReactNode }) {
  return <p className="text-2xl font-semibold tracking-tight tabular-nums">{children}</p>;
}

/** A sum that leaves an account out says so. */
function Unread({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <p className="mt-1 text-xs text-muted">
      without {countText(count)} {count === 1 ? "account that was" : "accounts that were"} never read at the broker
    </p>
  );
}

function QueueCard({ queue }: { queue: Metrics["queueStatus"] }) {
  if (queue === null) {
    return (
      <Card title="Queue" aside={<Badge tone="warn">Unavailable</Badge>}>
        <p className="text-sm text-muted">
          The job queue does not answer. Meanwhile the worker runs what is due from the schedule.
        </p>
      </Card>
    );
  }
  const health = queueHealth(queue.failedJobs, queue.totalJobs);
  return (
    <Card title="Queue" aside={<Badge tone={toneOfQueueHealth(health)}>{health}</Badge>}>
      <dl className="grid grid-cols-3 gap-4">
        <Stat label="Pending">{countText(queue.pendingJobs)}</Stat>
        <Stat label="Processing">{countText(queue.processingJobs)}</Stat>
        <Stat label="Failed">{countText(queue.failedJobs)}</Stat>
      </dl>
    </Card>
  );
}

function RegimeCard({ regime }: { regime: Metrics["regimeSignals"] }) {
  return (
    <Card
      title="Market Regime"
      aside={<Badge tone={toneOfRegime(regime?.regime_label ?? null)}>{regime?.regime_label ?? "unknown"}</Badge>}
    >
      <p className="text-sm text-muted">
        {regime === null
          ? "No session was screened yet."
          : `${regime.market === "PRACTICE" ? "Practice market" : "US market"}, session of ${dateText(regime.sessionDate)}; VIX ${regime.vix === null ? "unknown" : regime.vix.toFixed(1)}.`}
      </p>
    </Card>
  );
}
