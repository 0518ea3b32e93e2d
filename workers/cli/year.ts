/**
 * npm run year: many accounts of every strategy trade a long time on a practice market of their own, through
 * the services of the worker and over the wire; then every book is held against the exchange's, to the cent.
 * Brings its own database and touches nothing of the stack.
 */
import { parseArgs } from "node:util";
import pg from "pg";
import { RISKS, STRATEGY_NAMES } from "@/lib/domain/enums.ts";
import { migrate } from "@/scripts/databases.mjs";
import { ownPostgres } from "@/scripts/own-services.mjs";
import { startExchange } from "@/lib/exchange/start.ts";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { addPracticeAccount } from "@/lib/server/services/accounts/add-practice-account.ts";
import { syncOrders } from "@/lib/server/services/orders/sync-orders.ts";
import { activePolicy } from "@/lib/server/services/policy/active-policy.ts";
import { comparePractice } from "@/lib/server/services/practice/compare-truth.ts";
import { explainEquity } from "@/lib/server/services/practice/explain-equity.ts";
import { playHistory } from "@/lib/server/services/practice/play-history.ts";
import { closeSystem } from "@/lib/server/services/queue/close-system.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { makeUser } from "@/prisma/factories.ts";

const { values } = parseArgs({
  options: {
    accounts: { type: "string", default: "20" },
    sessions: { type: "string", default: "252" },
    tape: { type: "string" },
    start: { type: "string" },
    seed: { type: "string", default: "2" },
  },
});
const count = (name: string, value: string): number => {
  const number = Number(value);
  if (Number.isInteger(number) && number > 0) return number;
  throw new Error(`--${name}: "${value}" is no positive whole number.`);
};
const sessions = count("sessions", values.sessions);
const accounts = count("accounts", values.accounts);

const startedAt = performance.now();
const say = (message: string) => console.log(`${((performance.now() - startedAt) / 1000).toFixed(0)} s: ${message}`);

const postgres = await ownPostgres();
const CONTROL_TOKEN = "control-token-of-a-year";
try {
  const url = postgres.urlFor("year");
  const admin = new pg.Client({ connectionString: postgres.urlFor("postgres") });
  await admin.connect();
  await admin.query("create database year");
  await admin.end();
  await migrate(url);
  const exchange = await startExchange({
    port: 0,
    controlToken: CONTROL_TOKEN,
    databaseUrl: null,
    leadSessions: sessions,
    seed: count("seed", values.seed),
    ...(values.tape === undefined ? {} : { tape: values.tape }),
    ...(values.start === undefined ? {} : { start: values.start }),
  });
  Object.assign(process.env, {
    DATABASE_URL: url,
    EXCHANGE_URL: exchange.url,
    EXCHANGE_CONTROL_TOKEN: CONTROL_TOKEN,
    NEXTAUTH_SECRET: "year-secret-".repeat(8),
    MASTER_KEYS: `1:${Buffer.alloc(32, 7).toString("base64")}`,
    AUDIT_KEY: "year-audit-key-".repeat(4),
    LOG_LEVEL: "warn",
  });
  forgetEnv();

  const context = systemContext("year");
  await activePolicy(context);
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
  await playHistory(context, say);
  await exchange.control.clock({ paused: true });

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
  process.exitCode = differences === 0 ? 0 : 1;
  await closeSystem(context);
  await exchange.close();
} finally {
  await postgres.remove();
}
