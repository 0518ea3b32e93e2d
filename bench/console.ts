import { mkdirSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { consoleApi } from "@/lib/contracts/console.ts";
import { adminUsersApi } from "@/lib/contracts/admin-users.ts";
import { policyApi } from "@/lib/contracts/policy.ts";
import { rotationApi } from "@/lib/contracts/rotation.ts";
import { systemApi } from "@/lib/contracts/system.ts";
import { tradesApi } from "@/lib/contracts/trades.ts";
import type { Context } from "@/lib/server/context.ts";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { listAllAudit } from "@/lib/server/services/audit/list-audit.ts";
import { listRecentActivity } from "@/lib/server/services/console/list-recent-activity.ts";
import { readMetrics } from "@/lib/server/services/console/read-metrics.ts";
import { readSuccessRate } from "@/lib/server/services/console/read-success-rate.ts";
import { readKillSwitch } from "@/lib/server/services/automation/read-kill-switch.ts";
import { listFlags } from "@/lib/server/services/flags/list-flags.ts";
import { listInvariants } from "@/lib/server/services/invariants/list-invariants.ts";
import { readOperations } from "@/lib/server/services/operations/read-operations.ts";
import { readActivePolicy } from "@/lib/server/services/policy/read-active.ts";
import { listVersions } from "@/lib/server/services/policy/list-versions.ts";
import { listPlans } from "@/lib/server/services/rotation/list-plans.ts";
import { listUsers } from "@/lib/server/services/users/list-users.ts";
import { readProviderPerformance } from "@/lib/server/services/providers/read-performance.ts";
import { readSystem } from "@/lib/server/services/system/read-system.ts";
import { listAllTrades } from "@/lib/server/services/trades/list-trades.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { logsApi } from "@/lib/contracts/logs.ts";
import { makeUser } from "@/prisma/factories.ts";
import { ensureDatabase, migrate } from "@/scripts/databases.mjs";
import { ownPostgres } from "@/scripts/own-services.mjs";
import { seedConsole, type Size } from "./console-rows.ts";

/**
 * What the administrator's console asks for, with 1,000 users, 2,000 accounts and 1,000,000 trades: `npm run bench:console`.
 * Brings its own Postgres and touches nothing of the stack. BENCH_USERS, BENCH_ACCOUNTS and BENCH_TRADES change the size,
 * BENCH_ROUNDS how often each is asked (30). The aim is 200 ms at the 99th percentile; nothing fails on a slow machine. The
 * queue's own answer is not in the times. Writes the same figures to .data/bench-console.json.
 */
const number = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise);
const size: Size = {
  users: number("BENCH_USERS", 1_000),
  accounts: number("BENCH_ACCOUNTS", 2_000),
  trades: number("BENCH_TRADES", 1_000_000),
};
const ROUNDS = number("BENCH_ROUNDS", 30);
const AIM_MS = 200;

const depth = () => Promise.resolve({ pending: 3, processing: 1, completed: 500, failed: 2 });
const metrics = (more: object) => (context: Context<"admin">) =>
  readMetrics(context, consoleApi.metrics.input.parse(more), depth);
const performanceOf = (range: "1h" | "24h" | "7d" | "30d") => (context: Context<"admin">) =>
  readProviderPerformance(context, { range });

/** Every call of the console: a new one is one line here. */
const CALLS: Record<string, (context: Context<"admin">) => Promise<unknown>> = {
  "metrics, first page of users": metrics({}),
  "metrics, 100 users": metrics({ limit: 100 }),
  "metrics, LIVE": metrics({ environment: "LIVE" }),
  "metrics, as the dashboard asks": metrics({ limit: 1 }),
  "provider performance, 1h": performanceOf("1h"),
  "provider performance, 24h": performanceOf("24h"),
  "provider performance, 7d": performanceOf("7d"),
  "provider performance, 30d": performanceOf("30d"),
  "trading success rate": (context) => readSuccessRate(context, {}),
  "trading success rate, PAPER": (context) => readSuccessRate(context, { environment: "PAPER" }),
  "recent activity": (context) => listRecentActivity(context, { limit: 4 }),
  system: (context) => readSystem(context, systemApi.read.input.parse({}), depth),
  "all trades, first page": (context) => listAllTrades(context, tradesApi.listAll.input.parse({})),
  "all audit logs, first page": (context) => listAllAudit(context, logsApi.auditAll.input.parse({})),
  "users, first page": (context) => listUsers(context, adminUsersApi.list.input.parse({})),
  "users, searched": (context) => listUsers(context, adminUsersApi.list.input.parse({ search: "7" })),
  operations: (context) => readOperations(context),
  "kill switch": (context) => readKillSwitch(context),
  invariants: (context) => listInvariants(context),
  "policy in force": (context) => readActivePolicy(context),
  "policy versions": (context) => listVersions(context, policyApi.versions.input.parse({})),
  "feature flags": (context) => listFlags(context),
  "rotation plans": (context) => listPlans(context, rotationApi.listPlans.input.parse({})),
};

interface Figure {
  name: string;
  p50Ms: number;
  p99Ms: number;
}

/** Wall times of the service with its queries; the first rounds warm up. */
async function time(name: string, work: () => Promise<unknown>): Promise<Figure> {
  for (let round = 0; round < 3; round += 1) await work();
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    await work();
    times.push(performance.now() - startedAt);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? NaN;
  return { name, p50Ms: at(0.5), p99Ms: at(0.99) };
}

const postgres = await ownPostgres();
try {
  const url = postgres.urlFor("console");
  await ensureDatabase(url);
  await migrate({ migration: url, product: url });
  Object.assign(process.env, {
    DATABASE_URL: url,
    NEXTAUTH_SECRET: "bench-secret-".repeat(8),
    MASTER_KEYS: `1:${Buffer.alloc(32, 7).toString("base64")}`,
    AUDIT_KEY: "bench-audit-key-".repeat(4),
    LOG_LEVEL: "warn",
  });
  forgetEnv();
  const client = db();
  const startedAt = performance.now();
  await seedConsole(client, size);
  console.log(`seeded ${JSON.stringify(size)} in ${Math.round((performance.now() - startedAt) / 1000)} s`);
  const admin = await makeUser(client, { role: "ADMIN" });
  const actor = { kind: "user", userId: admin.id, role: "ADMIN", signInId: "bench" } as const;
  const context: Context<"admin"> = { ...systemContext("bench"), actor };
  const loads = [loadavg()];
  const figures: Figure[] = [];
  for (const [name, work] of Object.entries(CALLS)) figures.push(await time(name, () => work(context)));
  loads.push(loadavg());
  console.table(
    figures.map(({ name, p50Ms, p99Ms }) => ({
      name,
      "p50 ms": p50Ms.toFixed(1),
      "p99 ms": p99Ms.toFixed(1),
      aim: p99Ms < AIM_MS ? "met" : `over ${AIM_MS} ms`,
    })),
  );
  console.log(`${ROUNDS} rounds; load ${loads.map((load) => load[0]?.toFixed(1)).join(" to ")}`);
  mkdirSync(".data", { recursive: true });
  writeFileSync(".data/bench-console.json", JSON.stringify({ size, rounds: ROUNDS, loads, figures }, null, 2));
  await client.$disconnect();
} finally {
  await postgres.remove();
}
