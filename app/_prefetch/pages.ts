import * as metrics from "@/app/api/v1/admin/metrics/route.ts";
import * as allTrades from "@/app/api/v1/admin/all-trades/route.ts";
import * as anyTrade from "@/app/api/v1/admin/all-trades/[id]/route.ts";
import * as system from "@/app/api/v1/admin/system/route.ts";
import * as accessTokens from "@/app/api/v1/auth/access-tokens/route.ts";
import * as security from "@/app/api/v1/auth/security/route.ts";
import * as signIns from "@/app/api/v1/auth/sign-ins/route.ts";
import * as heartbeat from "@/app/api/v1/automation/heartbeat/route.ts";
import * as backtests from "@/app/api/v1/backtests/route.ts";
import * as decisions from "@/app/api/v1/decisions/route.ts";
import * as flags from "@/app/api/v1/flags/route.ts";
import * as tradeInWords from "@/app/api/v1/insight/trades/[id]/route.ts";
import * as today from "@/app/api/v1/insight/today/route.ts";
import * as dailyReview from "@/app/api/v1/logs/daily-review/route.ts";
import * as tail from "@/app/api/v1/logs/tail/route.ts";
import * as notifications from "@/app/api/v1/notifications/route.ts";
import * as performance from "@/app/api/v1/performance/route.ts";
import * as week from "@/app/api/v1/performance/weeks/[week]/route.ts";
import * as positionLines from "@/app/api/v1/portfolio/position-lines/route.ts";
import * as positions from "@/app/api/v1/portfolio/positions/route.ts";
import * as summary from "@/app/api/v1/portfolio/summary/route.ts";
import * as position from "@/app/api/v1/positions/[accountId]/[symbol]/route.ts";
import * as profile from "@/app/api/v1/preferences/profile/route.ts";
import * as symbol from "@/app/api/v1/symbols/[symbol]/route.ts";
import * as trades from "@/app/api/v1/trades/route.ts";
import * as trade from "@/app/api/v1/trades/[id]/route.ts";
import { accessTokensApi } from "@/lib/contracts/access-tokens.ts";
import { automationApi } from "@/lib/contracts/automation.ts";
import { backtestsApi } from "@/lib/contracts/backtests.ts";
import { consoleApi } from "@/lib/contracts/console.ts";
import { decisionsApi } from "@/lib/contracts/decisions.ts";
import { flagsApi } from "@/lib/contracts/flags.ts";
import { insightApi } from "@/lib/contracts/insight.ts";
import { logsApi } from "@/lib/contracts/logs.ts";
import { notificationsApi } from "@/lib/contracts/notifications.ts";
import { performanceApi } from "@/lib/contracts/performance.ts";
import { portfolioApi } from "@/lib/contracts/portfolio.ts";
import { preferencesApi } from "@/lib/contracts/preferences.ts";
import type { PrefetchedAnswer } from "@/lib/contracts/prefetched.ts";
import { securityApi } from "@/lib/contracts/security.ts";
import { symbolsApi } from "@/lib/contracts/symbols.ts";
import { systemApi } from "@/lib/contracts/system.ts";
import { tradesApi } from "@/lib/contracts/trades.ts";
import { type Environment, ENVIRONMENTS, type RoleName } from "@/lib/domain/enums.ts";
import { prefetch, type Read } from "@/lib/server/http/prefetch.ts";
import { PAGE_ROWS } from "../_ui/page-rows.ts";
import { read } from "./read.ts";

/** The environment that the address names. */
type Chosen = { environment?: Environment };
type ReadsOf<P = void> = (role: RoleName, chosen: Chosen, parameters: P) => Read[];

const NEWEST_TRADES = { sort: "date", direction: "desc", limit: PAGE_ROWS.trades } as const;

const dashboardOfTrader = (chosen: Chosen) => [
  read(summary, portfolioApi.summary, chosen),
  read(positions, portfolioApi.positions, chosen),
  read(positionLines, portfolioApi.positionLines, chosen),
  read(heartbeat, automationApi.heartbeat, chosen),
  read(today, insightApi.today, chosen),
  read(trades, tradesApi.list, { ...chosen, limit: 1 }),
];

/**
 * What the screen of each page asks for first: the figures that its first view shows. A read that no screen makes with this very
 * input would be made for nothing (e2e/prefetch.spec.ts).
 */
export const PAGE_READS = {
  dashboard: (role, chosen) =>
    role === "ADMIN"
      ? [
          read(metrics, consoleApi.metrics, { ...chosen, limit: 1 }),
          read(allTrades, tradesApi.listAll, { ...chosen, limit: 1 }),
        ]
      : dashboardOfTrader(chosen),
  keys: () => [read(flags, flagsApi.read, {})],
  trades: (role, chosen) =>
    role === "ADMIN"
      ? [read(allTrades, tradesApi.listAll, { ...chosen, ...NEWEST_TRADES })]
      : [read(trades, tradesApi.list, { ...chosen, ...NEWEST_TRADES })],
  decisions: (_, chosen) => [read(decisions, decisionsApi.list, { ...chosen, limit: PAGE_ROWS.decisions })],
  logs: (_, chosen) => [
    read(dailyReview, logsApi.dailyReview, chosen),
    read(tail, logsApi.tail, { limit: PAGE_ROWS.logLines }),
  ],
  performance: (_, chosen) => [read(performance, performanceApi.read, chosen)],
  backtests: () => [read(backtests, backtestsApi.list, { limit: PAGE_ROWS.backtests })],
  settings: () => [read(profile, preferencesApi.readProfile, {})],
  notifications: () => [read(notifications, notificationsApi.list, { limit: PAGE_ROWS.notifications })],
  security: () => [
    read(security, securityApi.read, {}),
    read(signIns, securityApi.signIns, {}),
    read(accessTokens, accessTokensApi.list, {}),
  ],
  overview: (_, chosen) => [read(metrics, consoleApi.metrics, { ...chosen, limit: PAGE_ROWS.userHealth })],
  system: () => [read(system, systemApi.read, {})],
} satisfies Record<string, ReadsOf>;

/** The same for the pages of one thing, which their address names. */
export const RECORD_READS = {
  trade: (role, _, { id }) =>
    role === "ADMIN"
      ? [read(anyTrade, tradesApi.readAny, { id })]
      : [read(trade, tradesApi.read, { id }), read(tradeInWords, insightApi.trade, { id })],
  position: (_, _chosen, { accountId, symbol: name }) => [
    read(position, symbolsApi.position, { accountId, symbol: name }),
  ],
  symbol: (_, chosen, { symbol: name }) => [read(symbol, symbolsApi.read, { symbol: name, ...chosen })],
  week: (_, chosen, { week: of }) => [read(week, performanceApi.week, { week: of, ...chosen })],
} satisfies {
  trade: ReadsOf<{ id: string }>;
  position: ReadsOf<{ accountId: string; symbol: string }>;
  symbol: ReadsOf<{ symbol: string }>;
  week: ReadsOf<{ week: string }>;
};

/** The environment that a page's query names; null where the query asks for something that the first reads do not hold. */
function chosenIn(query: URLSearchParams): Chosen | null {
  const named = query.get("env");
  if ([...query.keys()].some((name) => name !== "env")) return null;
  if (named === null) return {};
  const environment = ENVIRONMENTS.find((each) => each.toLowerCase() === named);
  return environment === undefined ? null : { environment };
}

const NO_QUERY = new URLSearchParams();

/** The answers that the document of a page holds, for a person with this role. */
export async function pageAnswers(
  page: keyof typeof PAGE_READS,
  role: RoleName,
  query = NO_QUERY,
): Promise<PrefetchedAnswer[]> {
  const chosen = chosenIn(query);
  return chosen === null ? [] : prefetch((PAGE_READS[page] as ReadsOf)(role, chosen));
}

/** The answers that the document of one record's page holds. */
export async function recordAnswers<K extends keyof typeof RECORD_READS>(
  page: K,
  parameters: Parameters<(typeof RECORD_READS)[K]>[2],
  role: RoleName,
  query = NO_QUERY,
): Promise<PrefetchedAnswer[]> {
  const chosen = chosenIn(query);
  const readsOf = RECORD_READS[page] as ReadsOf<typeof parameters>;
  return chosen === null ? [] : prefetch(readsOf(role, chosen, parameters));
}
