// Throw-away Postgres and Redis for one run of the tests, and a migrated template database.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { runMigrations } from "bullmq";
import pg from "pg";
import { migrate } from "../prisma/migrate.mjs";
import { startPostgres } from "./postgres.mjs";
import { startRedis } from "./redis.mjs";
import { state } from "./state.mjs";

export default async function ({ provide }) {
  const root = path.resolve(import.meta.dirname, "..");
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "tradewind-test-"));
  fs.chmodSync(dataDir, 0o755); // Postgres may run as another user
  const st = state(dataDir);
  const [postgres, redis] = await Promise.all([
    startPostgres({ root, dataDir, st, fast: true }),
    startRedis({ dataDir, st, binDir: path.join(root, ".data/bin") }),
  ]);
  const template = postgres.urlFor("template_app");
  await query(postgres.urlFor("postgres"), "create database template_app");
  await migrate(template);
  if (!redis) await withClient(template, runMigrations); // the queue runs on Postgres
  await query(
    postgres.urlFor("postgres"),
    "update pg_database set datistemplate = true, datallowconn = false where datname = 'template_app'",
  );
  provide("postgres", postgres.urlFor("DATABASE"));
  provide("redis", redis?.url ?? "");
  return async () => {
    await Promise.all([postgres.proc.stop(), redis?.proc.stop()]);
    fs.rmSync(dataDir, { recursive: true, force: true });
  };
}

async function withClient(connectionString, use) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

const query = (url, sql) => withClient(url, (client) => client.query(sql));
