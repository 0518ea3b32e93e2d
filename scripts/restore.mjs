// `npm run restore <folder of a backup> [--erasures <file>|none]`: puts a backup (scripts/backup.mjs) into an empty database and settles what has
// happened since: users who were erased are erased again and accounts that were removed are removed again, all sign-ins end, no account trades before its
// broker was read. The application's role is let in at the end alone. `--settle-only` does the second part for a database that came back by other means.
// docs/shipping.md is the runbook.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { buildPaths, dataDir, lockFile, root } from "./settings.mjs";
import { check, isEmpty, load, withClient } from "./database-copy.mjs";
import { holderOf, readJson } from "./state.mjs";
import { migrate, namesNow } from "../prisma/migrate.mjs";
import { userOf } from "../prisma/roles.mjs";

const USE = "Usage: npm run restore -- <folder of a backup> [--erasures <file>|none], or --settle-only [--erasures …]";
const SETTLE = "workers/cli/settle-restored.ts";

/** Addresses and keys: those of the environment, else those that DATA_DIR keeps, whose own Postgres is started for it. */
async function installation() {
  const { DATABASE_URL, MIGRATION_DATABASE_URL, EXCHANGE_DATABASE_URL, REDIS_URL } = process.env;
  if (DATABASE_URL) {
    const owner = MIGRATION_DATABASE_URL || DATABASE_URL;
    return { owner, app: DATABASE_URL, exchange: EXCHANGE_DATABASE_URL, hasQueue: !REDIS_URL, env: {}, end: () => {} };
  }
  if (holderOf(lockFile)) throw new Error(`Tradewind runs on ${dataDir}. Restore into another DATA_DIR.`);
  const kept = path.join(dataDir, "state.json");
  if (!readJson(kept)?.masterKeys)
    throw new Error(`${kept} holds no keys. Copy the state.json of the installation that was backed up there first.`);
  const [{ startPostgres }, { databaseUrls, ensureDatabases }, { secretsOf }, { state }] = await Promise.all(
    ["./postgres.mjs", "./databases.mjs", "./programs.mjs", "./state.mjs"].map((file) => import(file)),
  );
  const st = state(dataDir);
  const postgres = await startPostgres({ root, dataDir, st });
  const urls = databaseUrls(postgres);
  await ensureDatabases(urls, true);
  return {
    ...{ owner: urls.migration, app: urls.product, exchange: urls.exchange, hasQueue: false },
    env: { ...secretsOf(st), DATA_DIR: dataDir },
    end: () => postgres.proc.stop(),
  };
}

function readManifest(folder) {
  const manifest = readJson(path.join(folder, "manifest.json"));
  if (manifest?.format !== 1) throw new Error(`${folder} holds no whole backup. ${USE}`);
  const checksums = new Map(manifest.migrations.map(({ name, checksum }) => [name, checksum]));
  for (const name of migrationsOf(manifest)) {
    const file = path.join(root, "prisma/migrations", name, "migration.sql");
    const checksum = checksums.get(name);
    const isKnown =
      fs.existsSync(file) &&
      (!checksum || createHash("sha256").update(fs.readFileSync(file)).digest("hex") === checksum);
    if (!isKnown)
      throw new Error(
        `This version lacks the migration ${name}: restore with the version that made it, or a newer one.`,
      );
  }
  return manifest;
}

/** What was applied, by the names that it has in this version. */
const migrationsOf = (manifest) => namesNow(manifest.migrations.map(({ name }) => name));

/** The schema as it was, the rows, and then the migrations that are newer. The application's role gets no right yet. */
async function putBack({ owner, exchange }, folder, manifest) {
  const [rows, books] = ["public", "exchange"].map((schema) => manifest.databases.find((d) => d.schema === schema));
  // Where the practice market never ran its database is there and holds nothing.
  const market = books && books.tables.length > 0 ? books : null;
  for (const each of [rows, market]) if (each) await check(folder, each);
  if (market && !exchange) throw new Error("The backup holds the practice market: give EXCHANGE_DATABASE_URL.");
  for (const url of [owner, ...(market ? [exchange] : [])])
    if (!(await withClient(url, isEmpty)))
      throw new Error(`The database ${new URL(url).pathname.slice(1)} is not empty: a backup goes into a new one.`);
  await migrate(owner, { only: migrationsOf(manifest) });
  await withClient(owner, (client) => load(client, folder, rows));
  await migrate(owner);
  // Rows that have no partition of their time yet are moved now, while nothing reads them.
  await withClient(owner, (client) => client.query("select make_partitions(null)"));
  if (market) await withClient(exchange, (client) => loadMarket(client, folder, market));
}

/** The practice market makes its tables itself, all alike (lib/exchange/store.ts). */
async function loadMarket(client, folder, market) {
  await client.query("create schema exchange");
  for (const { name } of market.tables)
    await client.query(
      `create table exchange.${client.escapeIdentifier(name)} (key text primary key, body jsonb not null)`,
    );
  await load(client, folder, market);
}

/** An image holds what was built; a checkout has its source as well, which may be newer. */
async function settleProgram() {
  const built = buildPaths().program(SETTLE);
  const isInCheckout = fs.existsSync(SETTLE);
  // An image holds no part of the build.
  const isFresh = !isInCheckout || (fs.existsSync(built) && (await import("./build.mjs")).areProgramsFresh());
  return isFresh ? ["--enable-source-maps", built] : ["--import", "tsx", SETTLE];
}

/** The part that knows the product's rules, as the owner of the schema: no other role has access yet. */
async function settle({ owner, env }, { manifest, erasures }) {
  const program = await settleProgram();
  const args = [
    ...(manifest ? ["--made-at", manifest.madeAt, "--chain-end", manifest.auditHead?.seq ?? "0"] : []),
    ...(erasures ? ["--erasures", erasures] : []),
  ];
  const child = spawn(process.execPath, [...program, ...args], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...env, DATABASE_URL: owner },
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0
        ? resolve()
        : reject(
            new Error(
              "It is not settled: start nothing on this database. Mend what it says, then: npm run restore -- --settle-only",
            ),
          ),
    );
  });
}

async function restore() {
  const { positionals, values } = parseArgs({
    options: { erasures: { type: "string" }, "settle-only": { type: "boolean" } },
    allowPositionals: true,
  });
  const isWhole = !values["settle-only"];
  if (isWhole !== (positionals.length === 1)) throw new Error(USE);
  const folder = isWhole ? path.resolve(positionals[0]) : null;
  const manifest = folder && readManifest(folder);
  const target = await installation();
  try {
    if (folder) await putBack(target, folder, manifest);
    await settle(target, { manifest, erasures: values.erasures });
    await migrate(target.owner, { hasQueue: target.hasQueue, appRole: userOf(target.app) });
  } finally {
    await target.end();
  }
  console.log("Restored. Orders that open positions stay stopped until: npm run admin -- kill none --all --reason …");
}

await restore().catch((error) => {
  console.error(`Not restored: ${error.message}`);
  process.exitCode = 1;
});
