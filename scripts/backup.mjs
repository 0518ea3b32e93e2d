// `npm run backup [folder]`: the product's rows, and the practice market's, as files in a new folder with a manifest. It reads as the application
// and may run beside everything else. docs/shipping.md says what else has to be kept, and how it is restored (scripts/restore.mjs).
import fs from "node:fs";
import path from "node:path";
import { dataDir, root, runFile } from "./settings.mjs";
import { dump, withClient } from "./database-copy.mjs";
import { databaseUrls } from "./databases.mjs";
import { readJson, writePrivate } from "./state.mjs";

/** The format of the files and of the manifest. */
const FORMAT = 1;

/**
 * What DATABASE_URL names, and the practice market's beside it; else the databases of the `npm start` that runs on DATA_DIR. Without a practice
 * market of its own there is none beside it, unless one is named.
 */
async function addresses() {
  const { product, exchange, isNamed } = process.env.DATABASE_URL ? ofSettings() : ofRunning();
  const isThere = isNamed || (await withClient(product, (client) => exists(client, nameOf(exchange))));
  return { product, exchange: isThere ? exchange : null };
}

const ofSettings = () => ({ ...databaseUrls(), isNamed: Boolean(process.env.EXCHANGE_DATABASE_URL) });

function ofRunning() {
  const running = readJson(runFile)?.internal;
  if (!running) throw new Error(`Tradewind does not run on ${dataDir}. Start it, or give DATABASE_URL.`);
  const { databaseUrl: product, exchangeDatabaseUrl: exchange, settings } = running;
  return { product, exchange, isNamed: Boolean(settings?.EXCHANGE_DATABASE_URL) };
}

const nameOf = (url) => decodeURIComponent(new URL(url).pathname.slice(1));

async function exists(client, name) {
  return (await client.query("select from pg_database where datname = $1", [name])).rowCount > 0;
}

/** What tells which version wrote the rows, and how far their audit chain went. */
async function describe(client) {
  const one = async (sql) => (await client.query(sql)).rows;
  return {
    migrations: await one(
      `select migration_name as "name", checksum from "_prisma_migrations" where finished_at is not null and rolled_back_at is null order by 1`,
    ),
    auditHead: (await one(`select seq::text, hash from "AuditHead"`))[0] ?? null,
    orderProtocol: (await one(`select "orderProtocol" from "SystemState"`))[0]?.orderProtocol ?? 0,
  };
}

/** Where it goes. An option is none: a folder of that name would be made. */
function folderGiven() {
  const [folder, ...others] = process.argv.slice(2);
  if (folder?.startsWith("-") || others.length > 0) throw new Error("Usage: npm run backup [folder]");
  return path.resolve(folder ?? path.join(dataDir, "backups"));
}

async function backUp() {
  const folder = folderGiven();
  const { product, exchange } = await addresses();
  const madeAt = new Date();
  const name = madeAt.toISOString().replaceAll(":", "-");
  const [half, whole] = [path.join(folder, `${name}.partial`), path.join(folder, name)];
  fs.mkdirSync(half, { recursive: true, mode: 0o700 });
  try {
    const rows = await withClient(product, (client) => dump(client, half, "public", describe));
    // After the product's: of two books the broker's may be the newer one, and never the older.
    const market = exchange ? await withClient(exchange, (client) => dump(client, half, "exchange")) : null;
    const { version } = readJson(path.join(root, "package.json"));
    const build = { version, web: buildId(), orderProtocol: rows.orderProtocol };
    writePrivate(path.join(half, "manifest.json"), {
      ...{ format: FORMAT, madeAt, build, migrations: rows.migrations, auditHead: rows.auditHead },
      databases: [rows, market].flatMap((each) =>
        each ? [{ schema: each.schema, tables: each.tables, sequences: each.sequences }] : [],
      ),
    });
    fs.renameSync(half, whole);
    const count = [rows, ...(market ? [market] : [])].flatMap(({ tables }) => tables).reduce((n, t) => n + t.rows, 0);
    const databases = market
      ? `Databases: ${nameOf(product)} and the practice market's, ${nameOf(exchange)}`
      : `Database: ${nameOf(product)}; no practice market's was found`;
    console.log(`Backup ${whole}: ${count} rows, audit event ${rows.auditHead?.seq ?? 0}. ${databases}.`);
  } catch (error) {
    fs.rmSync(half, { recursive: true, force: true });
    throw error;
  }
}

function buildId() {
  const file = path.join(root, ".next/BUILD_ID");
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim() : null;
}

await backUp().catch((error) => {
  console.error(`No backup was made: ${error.message}`);
  process.exitCode = 1;
});
