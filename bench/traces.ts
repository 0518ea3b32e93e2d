import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import * as z from "zod";
import { endpoint } from "@/lib/contracts/endpoint.ts";
import { job } from "@/lib/contracts/job.ts";
import type { Context } from "@/lib/server/context.ts";
import { inTransaction } from "@/lib/server/core/transaction.ts";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { serve } from "@/lib/server/http/serve.ts";
import { defineJob } from "@/lib/server/jobs/define-job.ts";
import { runJob } from "@/lib/server/services/queue/run-job.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { traced } from "@/lib/server/tracing.ts";
import { traceNoMore, traceTo } from "@/lib/proof/fixtures/collector.ts";
import { makeUser } from "@/prisma/factories.ts";
import { ensureDatabase, migrate } from "@/scripts/databases.mjs";
import { ownPostgres } from "@/scripts/own-services.mjs";

/**
 * What tracing costs: `npm run bench:traces`. The same light read, the same empty job and the bare call of `traced`, with tracing on and off by turns
 * in one process; CPU time of this process, the sending to a collector of its own included. Every span is kept. Brings its own Postgres.
 * BENCH_ROUNDS (7) pairs of BENCH_CALLS (500) calls. Nothing fails on a slow machine. Writes the same figures to .data/bench-traces.json.
 */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7);
const CALLS = Number(process.env.BENCH_CALLS ?? 500);

/** A process of its own, so that what it costs to listen is not counted. */
const COLLECTOR = `
  const server = require("node:http").createServer((request, response) => {
    request.resume().on("end", () => response.writeHead(200, { "content-type": "application/json" }).end("{}"));
  });
  server.listen(0, "127.0.0.1", () => console.log(server.address().port));
`;

const listing = endpoint({
  method: "GET",
  path: "/trades",
  access: "public",
  limit: "none",
  summary: "twenty rows in one transaction",
  input: z.strictObject({}),
  output: z.object({ count: z.number() }),
});
async function list(context: Context) {
  return { count: (await inTransaction(context, (tx) => tx.user.findMany({ take: 20 }))).length };
}
const empty = defineJob(
  job({ name: "mail", input: z.strictObject({}), scope: () => "all", priority: 1, attempts: 1, concurrency: 1 }),
  () => Promise.resolve(),
);

/** CPU µs a call. */
async function cpuOf(calls: number, work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  for (let nth = 0; nth < calls; nth += 1) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}
const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? NaN;

interface Figure {
  name: string;
  offUs: number;
  onUs: number;
  /** Of the pairs: the median, the least and the most. */
  ratio: number;
  ratios: number[];
}

async function compare(name: string, url: string, calls: number, work: () => Promise<unknown>): Promise<Figure> {
  const off: number[] = [];
  const on: number[] = [];
  for (let round = -1; round < ROUNDS; round += 1) {
    const without = await cpuOf(calls, work);
    await traceTo(url);
    const withTracing = await cpuOf(calls, work);
    await traceNoMore();
    // The first pair warms up.
    if (round < 0) continue;
    off.push(without);
    on.push(withTracing);
  }
  const ratios = on.map((value, index) => value / (off[index] ?? NaN)).sort((a, b) => a - b);
  return { name, offUs: median(off), onUs: median(on), ratio: ratios[ratios.length >> 1] ?? NaN, ratios };
}

const postgres = await ownPostgres();
const collector = spawn(process.execPath, ["--eval", COLLECTOR], { stdio: ["ignore", "pipe", "inherit"] });
try {
  const [port] = (await once(collector.stdout, "data")) as [Buffer];
  const collectorUrl = `http://127.0.0.1:${port.toString().trim()}`;
  const url = postgres.urlFor("traces");
  await ensureDatabase(url);
  await migrate({ migration: url, product: url });
  Object.assign(process.env, {
    DATABASE_URL: url,
    NEXTAUTH_SECRET: "bench-secret-".repeat(8),
    MASTER_KEYS: `1:${Buffer.alloc(32, 7).toString("base64")}`,
    AUDIT_KEY: "bench-audit-key-".repeat(4),
    LOG_LEVEL: "error",
  });
  delete process.env.REDIS_URL;
  forgetEnv();
  for (let nth = 0; nth < 20; nth += 1) await makeUser(db());
  const context = systemContext("bench");
  const ask = () =>
    serve(listing, list, new Request("http://localhost/api/v1/trades"), { params: Promise.resolve({}) }, context);
  const figures = [
    await compare("a light read: 2 spans", collectorUrl, CALLS, ask),
    await compare("an empty job: 1 span", collectorUrl, CALLS, () => runJob(context, empty, {})),
    await compare("`traced` around nothing", collectorUrl, CALLS * 20, () =>
      traced("step", { step: "decide" }, () => Promise.resolve()),
    ),
  ];
  console.table(
    figures.map(({ name, offUs, onUs, ratio, ratios }) => ({
      name,
      "off, CPU µs": offUs.toFixed(2),
      "on, CPU µs": onUs.toFixed(2),
      "on / off": `${ratio.toFixed(2)} (${ratios[0]?.toFixed(2)} to ${ratios.at(-1)?.toFixed(2)})`,
    })),
  );
  console.log(`${ROUNDS} pairs; load ${loadavg()[0]?.toFixed(1)}`);
  mkdirSync(".data", { recursive: true });
  writeFileSync(".data/bench-traces.json", JSON.stringify({ rounds: ROUNDS, calls: CALLS, figures }, null, 2));
  await db().$disconnect();
} finally {
  collector.kill();
  await postgres.remove();
}
