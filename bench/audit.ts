import { fork } from "node:child_process";
import { once } from "node:events";
import { ensureDatabase, migrate } from "@/scripts/databases.mjs";
import { ownPostgres } from "@/scripts/own-services.mjs";
import { writeAuditChain } from "@/lib/proof/fixtures/audit-chain.ts";
import { verifyAudit } from "@/lib/server/audit/verify-audit.ts";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";

/**
 * How long a walk along the whole audit chain takes: `npm run bench:audit`. Brings its own Postgres and touches nothing of the
 * stack. BENCH_ROWS changes the length of the chain. The aim is 100,000 rows in 10 s; nothing fails on a slow machine.
 */
const rows = Number(process.env.BENCH_ROWS ?? 100_000);
const ROUNDS = 5;

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`;
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;

/** The walks, in a process of their own, whose memory holds nothing of what was written. */
async function walk(): Promise<void> {
  const rounds: { wallMs: number; cpuMs: number }[] = [];
  await db().auditEvent.count();
  const before = process.memoryUsage().rss;
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    const startedCpu = process.cpuUsage();
    const verdict = await verifyAudit(db());
    const { user, system } = process.cpuUsage(startedCpu);
    if (!verdict.ok || verdict.rows !== rows) throw new Error("the chain of the benchmark does not hold");
    rounds.push({ wallMs: performance.now() - startedAt, cpuMs: (user + system) / 1000 });
  }
  clearInterval(watch);
  rounds.sort((a, b) => a.wallMs - b.wallMs);
  const median = rounds[ROUNDS >> 1]!;
  console.log(
    `${rows.toLocaleString("en-US")} audit rows verified in ${seconds(median.wallMs)} (median of ${ROUNDS}; ` +
      `least ${seconds(rounds[0]!.wallMs)}, most ${seconds(rounds.at(-1)!.wallMs)}), ${seconds(median.cpuMs)} of it CPU time of this process`,
  );
  console.log(`memory: ${megabytes(before)} before, at most ${megabytes(most)} during the walks`);
  await db().$disconnect();
}

async function bench(): Promise<void> {
  const postgres = await ownPostgres();
  try {
    const url = postgres.urlFor("audit");
    await ensureDatabase(url);
    await migrate({ migration: url, product: url });
    Object.assign(process.env, {
      DATABASE_URL: url,
      NEXTAUTH_SECRET: "audit-secret-".repeat(8),
      MASTER_KEYS: `1:${Buffer.alloc(32, 7).toString("base64")}`,
      AUDIT_KEY: "bench-audit-key-".repeat(4),
      LOG_LEVEL: "warn",
    });
    forgetEnv();
    await writeAuditChain(rows);
    await db().$disconnect();
    const [code] = (await once(fork(import.meta.filename, ["walk"]), "exit")) as [number | null];
    process.exitCode = code ?? 1;
  } finally {
    await postgres.remove();
  }
}

await (process.argv[2] === "walk" ? walk() : bench());
