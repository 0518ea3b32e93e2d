"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { CallError } from "@/lib/client/api.ts";
import { failureText } from "@/lib/client/failure-text.ts";
import { accountsApi } from "@/lib/contracts/accounts.ts";
import { automationApi } from "@/lib/contracts/automation.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { insightApi } from "@/lib/contracts/insight.ts";
import { performanceApi } from "@/lib/contracts/performance.ts";
import { portfolioApi } from "@/lib/contracts/portfolio.ts";
import { tradesApi } from "@/lib/contracts/trades.ts";
import { newYork } from "@/lib/domain/time.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { ofEnvironment, useEnvironment } from "../../_hooks/use-environment.ts";
import { useIsBehind } from "../../_hooks/use-market-clock.ts";
import type { SessionUser } from "../../_hooks/use-session.ts";
import { Banner } from "../../_ui/banner.tsx";
import { EnvironmentSwitch } from "../../_ui/environment-switch.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { PageHead } from "../../_ui/page-head.tsx";
import { AmountsToggle } from "./amounts-toggle.tsx";
import { AutomationCard } from "./automation-card.tsx";
import { EquityCard } from "./equity-card.tsx";
import { FirstRun } from "./first-run.tsx";
import { InsightCard } from "./insight-card.tsx";
import { OnboardingBanner } from "./onboarding-banner.tsx";
import { PortfolioCards } from "./portfolio-cards.tsx";
import { PositionsCard } from "./positions-card.tsx";
import { TimelineCard } from "./timeline-card.tsx";
import { Today, type TodayAnswer } from "./today.tsx";
import { TradeStatsCard } from "./trade-stats-card.tsx";

const POLL_MS = 5000;
const TRADES_POLL_MS = 10_000;
const TODAY_POLL_MS = 15_000;
const SLOW_POLL_MS = 30_000;
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
  pnlSinceAdded: 0,
  cash: 0,
  buyingPower: 0,
  dayTradeCount: 0,
  positions: [],
  environment: null,
  environments: [],
  accounts: [],
  asOf: null,
};

function useReadings() {
  const { input } = useEnvironment();
  const summary = useEndpoint(portfolioApi.summary, input, { pollMs: POLL_MS });
  const positions = useEndpoint(portfolioApi.positions, input, { pollMs: POLL_MS });
  // Answers may keep coming with figures that the broker gave long ago.
  const isBehind = useIsBehind(summary.data?.asOf);
  const heartbeat = useEndpoint(automationApi.heartbeat, input, { pollMs: POLL_MS });
  const today = useEndpoint(insightApi.today, input, { pollMs: TODAY_POLL_MS });
  const accounts = useEndpoint(accountsApi.list, {}, { pollMs: SLOW_POLL_MS });
  const trades = useEndpoint(tradesApi.list, { ...input, limit: 1 }, { pollMs: TRADES_POLL_MS });
  const failures = [
    problemOf(summary, "Failed to fetch portfolio", "No portfolio data received"),
    problemOf(positions, "Failed to fetch positions", "No positions data received"),
    problemOf(accounts, "Failed to fetch accounts", "Failed to fetch accounts"),
    problemOf(trades, "Failed to fetch trades", "No trades data received"),
  ].filter((problem) => problem !== null);
  return { summary, positions, heartbeat, today, accounts, trades, failures, isBehind };
}

/**
 * What tells of the same money is asked again once the amounts have moved on, and what tells of the decisions with a new one: else the
 * page says two things at once until the slower answers come.
 */
function useOneTime({ summary, heartbeat }: Readings): void {
  const client = useQueryClient();
  const asOf = summary.data?.asOf;
  const decision = heartbeat.data && (heartbeat.data.lastDecision?.id ?? null);
  const seen = useRef({ asOf, decision });
  useEffect(() => {
    const { asOf: asOfBefore, decision: decisionBefore } = seen.current;
    seen.current = { asOf, decision };
    const isNewDecision = decisionBefore !== undefined && decisionBefore !== decision;
    const isNewAmount = asOfBefore !== undefined && asOfBefore !== asOf;
    const late = [
      ...(isNewDecision || isNewAmount ? [insightApi.today, insightApi.daily] : []),
      ...(isNewDecision ? [portfolioApi.equity, performanceApi.markers] : []),
    ];
    for (const { path } of late) void client.invalidateQueries({ queryKey: [path] });
  }, [client, asOf, decision]);
}

type Readings = ReturnType<typeof useReadings>;

/** What the cards show; undefined while it is not known. */
function figuresOf({ summary, heartbeat, accounts, failures }: Readings) {
  // A user without money gets the banner and the first steps above the cards: both render together, so that the page does not shift.
  const isNewcomerUnknown = summary.data?.totalValue === 0 && (accounts.isLoading || heartbeat.isLoading);
  const known = isNewcomerUnknown ? undefined : summary.data;
  return known ?? (failures[0] && !summary.isLoading ? ZEROED : undefined);
}

export function TraderDashboard({ user }: { user: SessionUser }) {
  const readings = useReadings();
  useOneTime(readings);
  const { summary, heartbeat, today, accounts, failures, isBehind } = readings;
  // As the answer with the sums says it: another call may be older than they are.
  const unread = summary.data?.accounts.filter(({ isInSums }) => !isInSums) ?? [];
  // An account that was not read at its broker yet has an unknown value, not zero.
  const isFirstReading = unread.length > 0 && summary.data?.asOf === null;
  const figures = isFirstReading ? undefined : figuresOf(readings);
  const environment = summary.data?.environment;
  const hasTradingAccount = accounts.data?.some((account) => account.status === "ACTIVE" && account.hasKeys) ?? true;
  const isNew = summary.data?.totalValue === 0 && !hasTradingAccount;
  const beat = ofEnvironment(heartbeat.data ?? undefined, environment);
  const answer = ofEnvironment(today.data, environment);
  const firstRun = accounts.data && beat && <FirstRun user={user} accounts={accounts.data} beat={beat} />;
  // One state for all of the page: figures of which one part is old do not belong together.
  const isStale = isBehind || [summary, readings.positions, heartbeat, today].some((reading) => reading.isStale);
  const hasBegun = beat?.hasDecided === true;

  return (
    <div className="flex flex-col gap-4">
      <PageHead
        title="Dashboard"
        environment={<EnvironmentSwitch of={summary.data ?? undefined} />}
        asOf={oldest(figures?.asOf ?? null, answer?.asOf ?? null)}
        isStale={isStale}
      >
        <AmountsToggle />
      </PageHead>
      <UnreadNote count={unread.length} isFirstReading={isFirstReading} />
      <SilentNotes accounts={summary.data?.accounts ?? []} />
      {failures[0] && (
        <FailureNote
          text="Failed to load dashboard data"
          detail={failures[0].message}
          onRetry={() => [...failures, ...(today.failure === null ? [] : [today])].forEach(({ retry }) => retry())}
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
      <Today
        today={answer}
        failure={today.failure}
        isFailureShown={failures.length > 0}
        isStale={isStale}
        onRetry={today.retry}
      />
      {isNew && <OnboardingBanner />}
      {!hasBegun && firstRun}
      <PortfolioCards figures={figures} isStale={isStale} />
      <MainCards readings={readings} beat={beat} today={answer} isStale={isStale} />
      {hasBegun && firstRun}
    </div>
  );
}

/** One time for the whole page: that of its oldest figures. Before the open the answer tells of a day before, which it names. */
function oldest(asOf: string | null, answerAsOf: string | null): string | null {
  if (asOf === null || answerAsOf === null || newYork(asOf).date !== newYork(answerAsOf).date) return asOf;
  return answerAsOf < asOf ? answerAsOf : asOf;
}

/** Accounts that were not read at their brokers yet. */
function UnreadNote({ count, isFirstReading }: { count: number; isFirstReading: boolean }) {
  if (isFirstReading)
    return (
      <p role="status" className="text-muted">
        Reading your account at the broker. The figures appear in a moment.
      </p>
    );
  if (count === 0) return null;
  return <p className="text-muted">{leftOut(count, "yet")} in these figures.</p>;
}

type SummedAccount = Answer<typeof portfolioApi.summary>["accounts"][number];

/** Accounts of which the latest days are not known: each is named once, with every period that lacks it. */
function SilentNotes({ accounts }: { accounts: readonly SummedAccount[] }) {
  const known = accounts.filter(({ isInSums }) => isInSums);
  const count = (isSilent: (account: SummedAccount) => boolean) => known.filter(isSilent).length;
  const notes = [
    { count: count((each) => !each.isInDay && each.isInWeek), since: "today", periods: "the day" },
    { count: count((each) => !each.isInWeek && each.isInMonth), since: "for a week", periods: "the day and the week" },
    { count: count((each) => !each.isInMonth), since: "for a month", periods: "the day, the week and the month" },
  ];
  return notes
    .filter((note) => note.count > 0)
    .map((note) => (
      <p key={note.since} className="text-muted">
        {leftOut(note.count, note.since)} in the P&amp;L of {note.periods}.
      </p>
    ));
}

/** "One account has not been read yet and is not included" */
const leftOut = (count: number, since: string): string =>
  `${count === 1 ? "One account has" : `${count} accounts have`} not been read ${since} and ${count === 1 ? "is" : "are"} not included`;

interface MainCardsProps {
  readings: Readings;
  beat: Answer<typeof automationApi.heartbeat> | undefined;
  today: TodayAnswer | undefined;
  isStale: boolean;
}

/**
 * Two columns; on a phone the day is one line, and the positions come before the secondary cards. The first view of a phone
 * stands in the document as it is read: one that is drawn while it arrives would push down what it drew.
 */
function MainCards({ readings, beat, today, isStale }: MainCardsProps) {
  const { summary, positions, heartbeat, trades, failures } = readings;
  const environment = summary.data?.environment;
  const held = positions.data?.filter(
    ({ environmentLabel }) => environment == null || environmentLabel === environment,
  );
  const tradesOfPage = ofEnvironment(trades.data ?? undefined, environment);
  return (
    <div
      className={`grid items-start gap-4 *:min-w-0 lg:grid-cols-3 lg:grid-rows-[auto_1fr] ${isStale ? "text-muted grayscale" : ""}`}
    >
      <div className="*:min-w-0 max-lg:contents lg:col-start-3 lg:row-start-1">
        <TimelineCard today={today} hasFailed={readings.today.failure !== null} />
      </div>
      <div className="*:min-w-0 max-lg:contents lg:col-span-2 lg:col-start-1 lg:row-span-2 lg:row-start-1 lg:flex lg:flex-col lg:gap-4">
        <div id="active-positions" className="scroll-mt-20 max-lg:order-2">
          <PositionsCard
            positions={held ?? (positions.isLoading ? undefined : [])}
            accounts={summary.data?.accounts ?? []}
          />
        </div>
        <EquityCard
          environment={environment}
          isFailureShown={failures.length > 0 || readings.today.failure !== null}
          latest={summary.data ?? undefined}
        />
        {today?.hasInsight !== false && <InsightCard environment={environment} />}
      </div>
      <div className="*:min-w-0 max-lg:contents lg:col-start-3 lg:row-start-2 lg:flex lg:flex-col lg:gap-4">
        <AutomationCard beat={beat} isLoading={heartbeat.isLoading || (heartbeat.data != null && beat === undefined)} />
        <TradeStatsCard
          endpoint={tradesApi.list}
          total={tradesOfPage?.summary}
          isReady={!trades.isLoading && (trades.data == null || tradesOfPage !== undefined)}
        />
      </div>
    </div>
  );
}

interface Reading {
  data: object | null | undefined;
  failure: Pick<CallError, "code" | "message"> | null;
  isLoading: boolean;
  retry: () => void;
}

/** What is wrong with a reading, in the server's words or the specification's. */
function problemOf({ data, failure, isLoading, retry }: Reading, failed: string, empty: string) {
  if (failure !== null) {
    const { text, detail } = failureText(failure, failed);
    return { message: detail === undefined ? text : `${text}. ${detail}`, retry };
  }
  return data === null && !isLoading ? { message: empty, retry } : null;
}
