/** Many accounts trade a long time on a practice market of their own; then every book is compared with the exchange's. */
import { type Exchange, startExchange } from "@/lib/exchange/start.ts";
import { RISKS, STRATEGY_NAMES } from "@/lib/domain/enums.ts";
import type { Context } from "@/lib/server/context.ts";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { addPracticeAccount } from "@/lib/server/services/accounts/add-practice-account.ts";
import { syncOrders } from "@/lib/server/services/accounts/sync-orders.ts";
import { activePolicy } from "@/lib/server/core/active-policy.ts";
import { comparePractice } from "@/lib/proof/practice/compare-truth.ts";
import { withOwnDatabase } from "@/lib/proof/own-database.ts";
import { explainEquity } from "@/lib/proof/practice/explain-equity.ts";
import { playHistory } from "@/lib/server/services/practice/play-history.ts";
import { closeSystem } from "@/lib/server/services/queue/close-system.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { makeUser } from "@/prisma/factories.ts";

const CONTROL_TOKEN = "control-token-of-a-year";

export interface YearOptions {
  accounts: number;
  sessions: number;
  seed: number;
  tape?: string | undefined;
  start?: string | undefined;
}

/** Answers the number of differences. */
export function playYear(options: YearOptions, say: (message: string) => void): Promise<number> {
  return withOwnDatabase("year", async (url) => {
    const exchange = await openMarket(options, url);
    const context = systemContext("year");
    await activePolicy(context);
    await openTraders(context, options.accounts);
    await playHistory(context, say);
    await exchange.control.clock({ paused: true });
    const differences = await compareBooks(context, options.sessions, say);
    await closeSystem(context);
    await exchange.close();
    return differences;
  });
}

async function openMarket({ sessions, seed, tape, start }: YearOptions, databaseUrl: string): Promise<Exchange> {
  const exchange = await startExchange({
    port: 0,
    controlToken: CONTROL_TOKEN,
    databaseUrl: null,
    leadSessions: sessions,
    seed,
    ...(tape === undefined ? {} : { tape }),
    ...(start === undefined ? {} : { start }),
  });
  Object.assign(process.env, {
    DATABASE_URL: databaseUrl,
    EXCHANGE_URL: exchange.url,
    EXCHANGE_CONTROL_TOKEN: CONTROL_TOKEN,
    NEXTAUTH_SECRET: "year-secret-".repeat(8),
    MASTER_KEYS: `1:${Buffer.alloc(32, 7).toString("base64")}`,
    AUDIT_KEY: "year-audit-key-".repeat(4),
    LOG_LEVEL: "warn",
  });
  forgetEnv();
  return exchange;
}

async function openTraders(context: Context, accounts: number): Promise<void> {
  for (let nth = 0; nth < accounts; nth += 1) {
    const { id: userId } = await makeUser(db(), { email: `trader-${nth}@example.com` });
    await db().tradingPreferences.update({
      where: { userId },
      data: {
        strategy: STRATEGY_NAMES[nth % 3] ?? "MOMENTUM",
        riskTolerance: RISKS[Math.floor(nth / 3) % 3] ?? "MEDIUM",
        defaultOrderSize: 3_000 + 500 * (nth % 7),
        maxPositions: 4 + (nth % 7),
        maxPositionValue: 8_000,
        profitTarget: 4 + (nth % 5),
        stopLoss: 2 + (nth % 4),
      },
    });
    await addPracticeAccount({ ...context, actor: { kind: "user", userId, role: "USER", signInId: "year" } });
  }
}

async function compareBooks(context: Context, sessions: number, say: (message: string) => void): Promise<number> {
  const report = await comparePractice(context, (accountId) => syncOrders(context, { accountId }));
  let differences = 0;
  for (const account of report.accounts) {
    console.log(
      `${account.owner}: ${account.orders} orders, ${account.fills} fills, ${account.positions} positions, cash ${account.cash}`,
    );
    const wrong = account.undecided === null ? account.differences : [account.undecided];
    for (const difference of wrong) console.log(`  ${difference}`);
    differences += wrong.length;
  }
  for (const { owner, equity, explained } of await explainEquity(context)) {
    if (equity === explained) continue;
    differences += 1;
    console.log(`${owner}: equity ${equity} at the exchange, ${explained} by our books`);
  }
  const trips = await db().roundTrip.count({ where: { closedAt: { not: null } } });
  say(
    `${sessions} sessions, ${report.accounts.length} accounts, ${trips} round trips closed: ` +
      (differences === 0 ? "everything agrees to the cent" : `${differences} differences`),
  );
  return differences;
}
