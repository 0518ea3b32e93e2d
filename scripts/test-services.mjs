// Throw-away Postgres and Redis for one run of the tests, and a migrated template database.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import * as services from "./services.mjs";

export default async function ({ provide }) {
  const root = path.resolve(import.meta.dirname, "..");
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "tradewind-test-"));
  fs.chmodSync(dataDir, 0o755); // Postgres may run as another user
  const st = services.state(dataDir);
  // The private copy of redis-server is fetched once and shared by runs.
  const [postgres, redis] = await Promise.all([
    services.startPostgres({ root, dataDir, st, fast: true }),
    services.startRedis({ dataDir, st, binDir: path.join(root, ".data") }),
  ]);
  const client = new pg.Client({ connectionString: postgres.urlFor("postgres") });
  await client.connect();
  await client.query("create database template_app");
  const migrated = spawnSync(process.execPath, ["node_modules/prisma/build/index.js", "migrate", "deploy"], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: postgres.urlFor("template_app") },
    encoding: "utf8",
  });
  if (migrated.status !== 0) throw new Error(`migrations failed:\n${migrated.stdout}\n${migrated.stderr}`);
  await client.query("update pg_database set datistemplate = true, datallowconn = false where datname = 'template_app'");
  await client.end();
  provide("postgres", postgres.urlFor("DATABASE"));
  provide("redis", redis?.url ?? "");
  return async () => {
    await Promise.all([postgres.proc.stop(), redis?.proc.stop()]);
    fs.rmSync(dataDir, { recursive: true, force: true });
  };
}
