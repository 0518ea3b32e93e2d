"use client";
import { accountsApi } from "@/lib/contracts/accounts.ts";
import { portfolioApi } from "@/lib/contracts/portfolio.ts";
import { tradesApi } from "@/lib/contracts/trades.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { Badge, EnvironmentBadge } from "../../_ui/badge.tsx";
import { Banner } from "../../_ui/banner.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { Time } from "../../_ui/time.tsx";
import { AutomationCard } from "./automation-card.tsx";
import { EquityCard } from "./equity-card.tsx";
import { OnboardingBanner } from "./onboarding-banner.tsx";
import { PortfolioCards } from "./portfolio-cards.tsx";
import { PositionsCard } from "./positions-card.tsx";
import { TradeStatsCard } from "./trade-stats-card.tsx";

const SUMMARY_POLL_MS = 3000;
const TRADES_POLL_MS = 5000;
const ACCOUNTS_POLL_MS = 30_000;
/** At this many day trades the warning shows. */
const DAY_TRADES_WARNED = 3;

/** What the cards show when nothing could be read: zeros, under the banner that says why. */
const ZEROED = {
  totalValue: 0,
  totalPnL: 0,
  totalPnLPercent: null,
  pnlDay: 0,
  pnlWeek: 0,
  pnlMonth: 0,
  pnlTotal: 0,
  cash: 0,
  buyingPower: 0,
  dayTradeCount: 0,
  positions: [],
  environments: [],
  asOf: null,
};

export function TraderDashboard() {
  const summary = useEndpoint(portfolioApi.summary, {}, { pollMs: SUMMARY_POLL_MS });
  const accounts = useEndpoint(accountsApi.list, {}, { pollMs: ACCOUNTS_POLL_MS });
  const trades = useEndpoint(tradesApi.list, { limit: 1 }, { pollMs: TRADES_POLL_MS });
  const failed = [summary, accounts, trades].filter((each) => each.failure !== null);
  const figures = summary.data ?? (summary.failure === null ? undefined : ZEROED);
  const environments = figures?.environments ?? [];
  const hasTradingAccount = accounts.data?.some((account) => account.status === "ACTIVE" && account.hasKeys) ?? true;
  const isNew = summary.data?.totalValue === 0 && !hasTradingAccount;

  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h1 className="text-2xl font-semibold tracking-tight">Dashboard</h1>
        {environments.map((environment) => (
          <EnvironmentBadge key={environment} environment={environment} />
        ))}
        <p className="ml-auto flex min-h-6 items-center gap-2 text-xs text-muted">
          {summary.isStale && <Badge tone="warn">stale</Badge>}
          {figures?.asOf != null && (
            <span>
              as of <Time at={figures.asOf} isClock />
            </span>
          )}
        </p>
      </div>
      {failed.length > 0 && (
        <FailureNote
          text="Failed to load dashboard data"
          detail={failed[0]?.failure?.message}
          onRetry={() => failed.forEach((each) => each.retry())}
        />
      )}
      {figures !== undefined && figures.dayTradeCount >= DAY_TRADES_WARNED && (
        <Banner
          kind="warning"
          detail="Brokers may ask for intraday margin on further day trades; the automation keeps counting them."
        >
          {`PDT warning: ${figures.dayTradeCount} day trades in the last 5 sessions`}
        </Banner>
      )}
      {isNew && <OnboardingBanner />}
      <PortfolioCards figures={figures} environments={environments} isStale={summary.isStale} />
      <div className="grid gap-4 lg:grid-cols-3">
        <EquityCard environments={environments} />
        <AutomationCard />
      </div>
      <div className="grid items-start gap-4 lg:grid-cols-3">
        <PositionsCard positions={figures?.positions} environments={environments} />
        <TradeStatsCard total={trades.data?.summary} hasFailed={trades.failure !== null} environments={environments} />
      </div>
    </div>
  );
}
