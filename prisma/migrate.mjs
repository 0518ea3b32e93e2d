// Applies the migrations that the database lacks, as `prisma migrate deploy` does, without Prisma's engine: `node prisma/migrate.mjs [folder]`.
// Ledger, checksums and lock are Prisma's own, so either may follow the other. It signs in by MIGRATION_DATABASE_URL, as the owner of the schema,
// and then grants the user of DATABASE_URL its rights; without MIGRATION_DATABASE_URL one role does both.
import { createHash, randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { runMigrations } from "bullmq";
import pg from "pg";
import { grantApplication, requireAddresses, userOf } from "./roles.mjs";

const MIGRATIONS = path.join(import.meta.dirname, "migrations");
const PRISMA_LOCK = 72_707_369;
const LEDGER = `create table if not exists "_prisma_migrations" (
  "id" varchar(36) primary key not null, "checksum" varchar(64) not null, "finished_at" timestamptz, "migration_name" varchar(255) not null,
  "logs" text, "rolled_back_at" timestamptz, "started_at" timestamptz not null default now(), "applied_steps_count" integer not null default 0)`;

/**
 * Each migration is applied whole, with its row in the ledger, or not at all. Answers the names of those that were applied. `hasQueue`: the queue
 * lives in Postgres and its tables are brought up to date too. `appRole` gets its rights on all that there is then. `only`: no others than these.
 */
export async function migrate(url, { folder = MIGRATIONS, hasQueue = false, appRole = userOf(url), only } = {}) {
  const files = readdirSync(folder).filter((name) => existsSync(path.join(folder, name, "migration.sql")));
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query(`select pg_advisory_lock(${PRISMA_LOCK})`);
    await client.query(`set client_min_messages = warning; ${LEDGER}`);
    const { rows } = await client.query(`select * from "_prisma_migrations" where "rolled_back_at" is null`);
    const ledger = new Map(rows.map((row) => [row.migration_name, row]));
    for (const name of files) await takeOver(client, { folder, name, ledger });
    checkLedger(ledger, files);
    const applied = [];
    for (const name of files.sort()) {
      const { sql, checksum } = contentOf(folder, name);
      const known = ledger.get(name);
      if (known && known.checksum !== checksum) throw new Error(`Migration ${name} was edited after it was applied.`);
      if (known || (only && !only.includes(name))) continue;
      await apply(client, { name, sql, checksum });
      applied.push(name);
    }
    if (hasQueue) await runMigrations(client);
    if (appRole !== userOf(url)) await grantApplication(client, appRole);
    return applied;
  } finally {
    await client.end();
  }
}

function contentOf(folder, name) {
  const sql = readFileSync(path.join(folder, name, "migration.sql"), "utf8");
  return { sql, checksum: createHash("sha256").update(sql).digest("hex") };
}

/** The migrations that one stands for, which were squashed into it: their names, or none. */
function replacedBy(folder, name) {
  const file = path.join(folder, name, "replaces.txt");
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
}

/** The names that migrations have in this version: those that were squashed into one, where all are there, are that one. */
export function namesNow(names, folder = MIGRATIONS) {
  for (const name of readdirSync(folder)) {
    const replaced = replacedBy(folder, name);
    if (replaced.length > 0 && replaced.every((each) => names.includes(each)))
      return [name, ...names.filter((each) => !replaced.includes(each))];
  }
  return names;
}

/** Where the migrations were applied that one stands for, the ledger says that it was applied instead. */
async function takeOver(client, { folder, name, ledger }) {
  const replaced = replacedBy(folder, name);
  const isThere = replaced.length > 0 && replaced.every((each) => ledger.get(each)?.finished_at);
  if (!isThere) return;
  const { checksum } = contentOf(folder, name);
  await client.query("begin");
  await client.query(`delete from "_prisma_migrations" where "migration_name" = any($1)`, [replaced]);
  await record(client, { name, checksum });
  await client.query("commit");
  for (const each of replaced) ledger.delete(each);
  ledger.set(name, { checksum, finished_at: new Date() });
}

const record = (client, { name, checksum }) =>
  client.query(
    `insert into "_prisma_migrations" ("id", "checksum", "migration_name", "finished_at", "applied_steps_count") values ($1, $2, $3, now(), 1)`,
    [randomUUID(), checksum, name],
  );

function checkLedger(ledger, files) {
  for (const [name, { finished_at: finishedAt }] of ledger) {
    if (!files.includes(name))
      throw new Error(
        `The database has the migration ${name}, which this version does not know: it belongs to another version of Tradewind, ` +
          "and data of unreleased versions is not carried over. Start with an empty database: another DATA_DIR or DATABASE_URL, or remove the data directory (.data).",
      );
    if (finishedAt === null)
      throw new Error(`Migration ${name} was begun and did not finish. Settle it with: npx prisma migrate resolve`);
  }
}

async function apply(client, { name, sql, checksum }) {
  try {
    await client.query("begin");
    await client.query(sql);
    await record(client, { name, checksum });
    await client.query("commit");
  } catch (error) {
    throw new Error(`Migration ${name} failed: ${error.message}`, { cause: error });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  try {
    requireAddresses(["DATABASE_URL"]);
    const { DATABASE_URL, MIGRATION_DATABASE_URL, REDIS_URL } = process.env;
    const applied = await migrate(MIGRATION_DATABASE_URL || DATABASE_URL, {
      folder: process.argv[2],
      hasQueue: !REDIS_URL,
      appRole: userOf(DATABASE_URL),
    });
    console.log(applied.length === 0 ? "No pending migrations" : `Applied ${applied.join(", ")}`);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
