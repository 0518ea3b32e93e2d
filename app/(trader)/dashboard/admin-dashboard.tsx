"use client";
import { consoleApi } from "@/lib/contracts/console.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { tradesApi } from "@/lib/contracts/trades.ts";
import { pnlPercent, toneOfStatus } from "@/lib/domain/console.ts";
import { countText } from "@/lib/domain/format.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { ofEnvironment, useEnvironment } from "../../_hooks/use-environment.ts";
import { Badge } from "../../_ui/badge.tsx";
import { ButtonLink } from "../../_ui/button-link.tsx";
import { Card } from "../../_ui/card.tsx";
import { EnvironmentSwitch } from "../../_ui/environment-switch.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { Money } from "../../_ui/money.tsx";
import { PageHead } from "../../_ui/page-head.tsx";
import { Percent } from "../../_ui/percent.tsx";
import { Skeleton } from "../../_ui/skeleton.tsx";
import { Stat } from "../../_ui/stat.tsx";
import { AmountsToggle } from "./amounts-toggle.tsx";
import { TradeStatsCard } from "./trade-stats-card.tsx";

const POLL_MS = 10_000;

type Metrics = Answer<typeof consoleApi.metrics>;

/** The dashboard of an administrator, from the metrics of all users in one environment; there are no positions. */
export function AdminDashboard() {
  const { input } = useEnvironment();
  const metrics = useEndpoint(consoleApi.metrics, { ...input, limit: 1 }, { pollMs: POLL_MS });
  const trades = useEndpoint(tradesApi.listAll, { ...input, limit: 1 }, { pollMs: POLL_MS });
  const total = ofEnvironment(trades.data, metrics.data?.environment);
  const failed = [metrics, trades].find(({ failure }) => failure !== null);
  // What could not be read stands as zero below the banner, as the specification has it.
  const summary = metrics.data?.portfolioSummary ?? (metrics.failure === null ? undefined : ZEROED);
  return (
    <div className="flex flex-col gap-4">
      <PageHead
        title="Dashboard"
        environment={<EnvironmentSwitch of={metrics.data} />}
        asOf={metrics.data?.portfolioSummary.asOf ?? null}
        isStale={metrics.isStale}
      >
        <AmountsToggle />
      </PageHead>
      {failed !== undefined && (
        <FailureNote
          text="Failed to load dashboard data"
          detail={failed.failure?.message}
          onRetry={() => {
            metrics.retry();
            trades.retry();
          }}
        />
      )}
      <Figures summary={summary} isStale={metrics.isStale} />
      <div className="grid items-start gap-4 *:min-w-0 lg:grid-cols-3">
        <SystemCard metrics={metrics.data} isUnknown={metrics.failure !== null} />
        <TradeStatsCard
          endpoint={tradesApi.listAll}
          total={total?.summary}
          isReady={!trades.isLoading && (trades.data === undefined || total !== undefined)}
          aside={<span className="text-xs text-muted">All users</span>}
        />
      </div>
    </div>
  );
}

type Summary = Pick<Metrics["portfolioSummary"], "totalValue" | "pnlTotal" | "cash" | "buyingPower" | "accountsUnread">;
const ZEROED: Summary = { totalValue: 0, pnlTotal: 0, cash: 0, buyingPower: 0, accountsUnread: 0 };

function Figures({ summary, isStale }: { summary: Summary | undefined; isStale: boolean }) {
  const percent = summary === undefined ? null : pnlPercent(summary);
  const cards = [
    { title: "Total Portfolio", figure: <Money value={summary?.totalValue} /> },
    {
      title: "P&L",
      figure: (
        <>
          <Money value={summary?.pnlTotal} isChange />
          {percent !== null && (
            <span className="ml-2 text-sm font-medium">
              <Percent value={percent} />
            </span>
          )}
        </>
      ),
    },
    { title: "Cash", figure: <Money value={summary?.cash} /> },
    { title: "Buying Power", figure: <Money value={summary?.buyingPower} /> },
  ];
  return (
    <div className={`grid gap-4 *:min-w-0 sm:grid-cols-2 xl:grid-cols-4 ${isStale ? "text-muted grayscale" : ""}`}>
      {cards.map(({ title, figure }) => (
        <Card key={title} title={title}>
          {summary === undefined ? (
            <Skeleton className="h-8 w-36" />
          ) : (
            <p className="min-h-8 text-2xl font-semibold tracking-tight">{figure}</p>
          )}
          {title === "Total Portfolio" && (summary?.accountsUnread ?? 0) > 0 && (
            <p className="mt-1 text-xs text-muted">
              without {countText(summary?.accountsUnread ?? 0)} {summary?.accountsUnread === 1 ? "account" : "accounts"}{" "}
              never read at the broker
            </p>
          )}
        </Card>
      ))}
    </div>
  );
}

function SystemCard({ metrics, isUnknown }: { metrics: Metrics | undefined; isUnknown: boolean }) {
  return (
    <Card
      title="System"
      className="lg:col-span-2"
      aside={metrics && <Badge tone={toneOfStatus(metrics.systemStatus)}>{metrics.systemStatus}</Badge>}
    >
      {metrics === undefined ? (
        isUnknown ? (
          <p className="text-sm text-muted">The state of the system could not be read.</p>
        ) : (
          <Skeleton className="h-24 w-full" />
        )
      ) : (
        <>
          {metrics.systemStatusReason !== null && <p className="mb-3 text-sm">{metrics.systemStatusReason}</p>}
          <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
            <Stat label="Total Users">{countText(metrics.totalUsers)}</Stat>
            <Stat label="Users with Alpaca Keys">{countText(metrics.usersWithAlpacaKeys)}</Stat>
            <Stat label="Active accounts">{countText(metrics.accountHealth.active)}</Stat>
            <Stat label="Halted accounts">{countText(metrics.accountHealth.halted)}</Stat>
          </dl>
        </>
      )}
      <div className="mt-4 flex flex-wrap gap-3">
        <ButtonLink href="/admin">Open the console</ButtonLink>
        <ButtonLink tone="secondary" href="/trade-history">
          Trade History
        </ButtonLink>
        <ButtonLink tone="secondary" href="/logs">
          Activity &amp; Logs
        </ButtonLink>
      </div>
    </Card>
  );
}
