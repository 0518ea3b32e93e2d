import * as z from "zod";
import { ACCOUNT_STATUSES, KILL_STATES, MARKETS, PRICE_FIGURES, REGIMES, ROLES } from "@/lib/domain/enums.ts";
import { ACTIVITY_ICONS, SYSTEM_STATUSES, TIME_RANGES } from "../domain/console.ts";
import { PROVIDERS } from "../domain/providers.ts";
import { NEEDS, READINESS_STATES } from "../domain/readiness.ts";
import { instantOut, moneyOut, ratioOut } from "./codecs.ts";
import { endpoint } from "./endpoint.ts";
import { environmentIn, environmentOut, environmentScopeOut } from "./environment.ts";

const providerOut = z.enum(PROVIDERS);

export const providerStateOut = z.object({
  provider: providerOut,
  /** Whether this installation has an adapter and its settings for it. */
  configured: z.boolean(),
  /** What the last check found; null before the first one. */
  working: z.boolean().nullable(),
  message: z.string(),
  lastCheck: instantOut.nullable(),
});

/** A disagreement between sources of prices, in words with both values. */
export const disagreementOut = z.object({
  figure: z.enum(PRICE_FIGURES),
  /** "Alpaca closed at $101.20, Finnhub at $103.25: 2.03 % apart, limit 0.50 %" */
  text: z.string(),
  sessionDate: z.iso.date(),
  /** market time */
  foundAt: instantOut,
  /** Market time at which the sources were seen to agree again; null while the symbol is set aside. */
  clearedAt: instantOut.nullable(),
});

/** A symbol with what its sources disagree about. */
const putAsideOut = disagreementOut.extend({ market: z.enum(MARKETS), symbol: z.string() });

export const userHealthOut = z.object({
  id: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  createdAt: instantOut,
  isDisabled: z.boolean(),
  /** For all of their accounts, beside each account's own state. */
  killState: z.enum(KILL_STATES),
  /** By themselves, for all of their accounts. */
  isPaused: z.boolean(),
  /** Those that were not deleted, oldest first. */
  accounts: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      environmentLabel: environmentOut,
      status: z.enum(ACCOUNT_STATUSES),
      haltReason: z.string().nullable(),
      killState: z.enum(KILL_STATES),
      /** Trades of the account. */
      trades: z.number().int(),
    }),
  ),
});

const queueStatusOut = z.object({
  active: z.boolean(),
  pendingJobs: z.number().int(),
  processingJobs: z.number().int(),
  completedJobs: z.number().int(),
  failedJobs: z.number().int(),
  totalJobs: z.number().int(),
});

export const consoleApi = {
  metrics: endpoint({
    method: "GET",
    path: "/admin/metrics",
    access: "admin",
    limit: "admin",
    summary:
      "The state of the system and the figures of one environment over all users. Users come in pages, newest first.",
    input: z.strictObject({
      ...environmentIn,
      cursor: z.string().max(200).optional(),
      limit: z.coerce.number().int().min(1).max(100).default(20),
    }),
    output: z.object({
      ...environmentScopeOut,
      systemStatus: z.enum(SYSTEM_STATUSES),
      /** Why it is not RUNNING; null while it is. */
      systemStatusReason: z.string().nullable(),
      totalUsers: z.number().int(),
      /** Users with the keys of an Alpaca account, of whichever environment. */
      usersWithAlpacaKeys: z.number().int(),
      /** USD, over all active accounts of the environment */
      portfolioValue: moneyOut,
      portfolioSummary: z.object({
        totalValue: moneyOut,
        pnlTotal: moneyOut,
        cash: moneyOut,
        buyingPower: moneyOut,
        /** Accounts that the sums are made of, and active ones that were never read at their broker. */
        accountsInSums: z.number().int(),
        accountsUnread: z.number().int(),
        /** Market time of the oldest reading in the sums. */
        asOf: instantOut.nullable(),
      }),
      /** Of the environment's accounts, each under the most severe state that holds for it or for its owner: a disabled owner's count as stopped. */
      accountHealth: z.object({
        active: z.number().int(),
        paused: z.number().int(),
        halted: z.number().int(),
        stopped: z.number().int(),
      }),
      userHealth: z.array(userHealthOut),
      pagination: z.object({ nextCursor: z.string().nullable(), limit: z.number().int() }),
      /** Null while the queue does not answer. */
      queueStatus: queueStatusOut.nullable(),
      auditLogsCount: z.number().int(),
      /** What the last check of the configured providers found; its time is null before the first one. */
      apiMetrics: z.object({
        timestamp: instantOut.nullable(),
        total: z.number().int(),
        valid: z.number().int(),
        invalid: z.number().int(),
      }),
      providers: z.array(providerStateOut),
      /** The last regime of the environment's market; null before the first session. */
      regimeSignals: z
        .object({
          regime_label: z.enum(REGIMES),
          market: z.enum(MARKETS),
          sessionDate: z.iso.date(),
          vix: ratioOut,
          votes: z.number().int(),
        })
        .nullable(),
    }),
  }),
  providerPerformance: endpoint({
    method: "GET",
    path: "/admin/provider-performance",
    access: "admin",
    limit: "admin",
    summary: "How the providers answered within the range, of all processes.",
    input: z.strictObject({ range: z.enum(TIME_RANGES).default("24h") }),
    output: z.object({
      range: z.enum(TIME_RANGES),
      /** Wall time from which calls are counted: the minute or the hour in which the range begins. */
      since: instantOut,
      providers: z.array(
        z.object({
          provider: providerOut,
          configured: z.boolean(),
          /** 0 to 1; null without calls */
          successRate: ratioOut,
          /** milliseconds; null without calls */
          averageResponseTime: ratioOut,
          totalRequests: z.number().int(),
          errorCount: z.number().int(),
          /** Of the last call within the range. */
          lastCheck: instantOut.nullable(),
          /** What failed, most often first. */
          faults: z.array(
            z.object({
              operation: z.string(),
              error: z.string(),
              status: z.number().int().nullable(),
              count: z.number().int(),
            }),
          ),
          /** Closes and prices of it that stood beside another source's within the range; null for who gives none or was not compared. */
          agreement: z.object({ compared: z.number().int(), agreed: z.number().int() }).nullable(),
          /** The newest that it took part in, of any time; null without one. */
          lastDisagreement: putAsideOut.nullable(),
        }),
      ),
      /** Symbols that are set aside now because their sources disagree, newest first; at most a hundred. */
      quarantined: z.array(putAsideOut),
      quarantinedCount: z.number().int(),
    }),
  }),
  tradingSuccessRate: endpoint({
    method: "GET",
    path: "/admin/trading-success-rate",
    access: "admin",
    limit: "admin",
    summary: "Profitable round trips among all that are closed, of all users in one environment.",
    input: z.strictObject(environmentIn),
    output: z.object({
      ...environmentScopeOut,
      /** 0 to 1; null without a closed round trip */
      successRate: ratioOut,
      profitableTrades: z.number().int(),
      totalTrades: z.number().int(),
    }),
  }),
  recentActivity: endpoint({
    method: "GET",
    path: "/admin/recent-activity",
    access: "admin",
    limit: "admin",
    summary: "The last events of the audit trail in words, newest first.",
    input: z.strictObject({ limit: z.coerce.number().int().min(1).max(50).default(4) }),
    output: z.object({
      activities: z.array(
        z.object({
          id: z.string(),
          icon: z.enum(Object.values(ACTIVITY_ICONS)),
          description: z.string(),
          /** wall time */
          timestamp: instantOut,
        }),
      ),
    }),
  }),
  readiness: endpoint({
    method: "GET",
    path: "/admin/readiness",
    access: "admin",
    limit: "admin",
    summary:
      "Which of the sources that trading the US market needs are there: what is missing, what that affects and how to add it.",
    input: z.strictObject({}),
    output: z.object({
      needs: z.array(
        z.object({
          need: z.enum(NEEDS),
          state: z.enum(READINESS_STATES),
          says: z.string(),
          cost: z.string().nullable(),
          remedy: z.string().nullable(),
        }),
      ),
      /** Null before the US market was screened. */
      lastScreening: z.object({ session: z.string(), seats: z.number().int(), of: z.number().int() }).nullable(),
    }),
  }),
  testGlobalApis: endpoint({
    method: "POST",
    path: "/admin/providers/test-global-apis",
    access: "admin",
    limit: "admin",
    summary: "Tests every configured provider now, each within ten seconds, and keeps the results.",
    input: z.strictObject({}),
    output: z.object({ checkedAt: instantOut, providers: z.array(providerStateOut) }),
  }),
};
