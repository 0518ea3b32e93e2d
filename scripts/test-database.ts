// One fresh database per test file, made from the migrated template; a queue prefix of its own.
import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, inject } from "vitest";
import type { Context } from "../lib/server/context.ts";
import { createDb, db, type Db } from "../lib/server/db.ts";
import { closeSystem } from "../lib/server/services/queue/close-system.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Addresses with DATABASE in place of a name: as the superuser, as the owner of the schema, and as the application's own role. */
    superuser: string;
    owner: string;
    postgres: string;
    redis: string;
    /** A folder for the programs of this run (lib/proof/bundled.ts). */
    bundles: string;
  }
}

const name = `t_${randomBytes(8).toString("hex")}`;

async function asAdmin(sql: string) {
  const client = new pg.Client({ connectionString: inject("superuser").replace(/DATABASE$/, "postgres") });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

process.env.DATABASE_URL = inject("postgres").replace(/DATABASE$/, name);
// The exchange keeps tables of its own beside the product's, whose role may make none.
process.env.EXCHANGE_DATABASE_URL = inject("superuser").replace(/DATABASE$/, name);
if (inject("redis")) process.env.REDIS_URL = inject("redis");
process.env.QUEUE_PREFIX = name;
process.env.TEST_BUNDLES = inject("bundles");
process.env.NEXTAUTH_SECRET = "test-secret-".repeat(8);
process.env.MASTER_KEYS = `1:${Buffer.alloc(32, 7).toString("base64")}`;
process.env.AUDIT_KEY = "test-audit-key-".repeat(4);
process.env.EXCHANGE_CONTROL_TOKEN = "test-control-token";

/**
 * Files that share a process share the client, which is connected to the database of each in turn: to make one, and to compile each query
 * anew, is a tenth of a file's work. The next file finds it without a connection.
 */
const kept = globalThis as unknown as { testDb?: Db; tradewindDb?: Db };
kept.tradewindDb = kept.testDb ??= createDb(() => process.env.DATABASE_URL ?? "", 10);

beforeAll(async () => {
  // What the file before this one still asked for after its end has connected the client to a database that is gone.
  await kept.testDb?.$disconnect();
  // Its files copied as they are: a third of what it costs Postgres to write them anew, page by page.
  await asAdmin(`create database ${name} template template_app strategy file_copy`);
});
afterAll(async () => {
  await closeSystem({ db: db() } as Context);
  await asAdmin(`drop database if exists ${name} with (force)`);
});
