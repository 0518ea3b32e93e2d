// The two databases: the product's, and the practice exchange's own.
import { createRequire } from "node:module";
import path from "node:path";
import { root } from "./settings.mjs";
import { step } from "./step.mjs";

/**
 * Addresses of both, on our own Postgres or on the one that DATABASE_URL names. `migration` is the product's as the owner of its
 * schema; on a Postgres of the caller's it is given by MIGRATION_DATABASE_URL, or one role does both.
 */
export function databaseUrls(postgres) {
  if (postgres) {
    const [migration, product, exchange] = ["migration", "product", "exchange"].map((name) => postgres.urlOf(name));
    return { superuser: postgres.url, migration, product, exchange };
  }
  const product = process.env.DATABASE_URL;
  const beside = new URL(product);
  beside.pathname = `${beside.pathname}_exchange`;
  const migration = process.env.MIGRATION_DATABASE_URL || product;
  return { migration, product, exchange: process.env.EXCHANGE_DATABASE_URL || beside.href };
}

/** Roles and databases of our own Postgres are made by its superuser; on another one only absent databases are. */
export async function ensureDatabases({ superuser, migration, product, exchange }, needsExchange) {
  if (!superuser) {
    await ensureDatabase(migration);
    if (needsExchange) await ensureDatabase(exchange);
    return;
  }
  const { prepareRoles } = await import("../prisma/roles.mjs"); // only there after the installation
  await prepareRoles({ superuserUrl: superuser, migrationUrl: migration, appUrl: product, exchangeUrl: exchange });
}

/** Made when absent. Fails with a sentence when the role may not make one. */
export async function ensureDatabase(url) {
  const name = decodeURIComponent(new URL(url).pathname.slice(1));
  if (await withClient(url, async () => true).catch((error) => refuse(error, (code) => code === "3D000"))) return;
  const admin = new URL(url);
  admin.pathname = "/postgres";
  await withClient(admin.href, (client) => client.query(`create database ${client.escapeIdentifier(name)}`)).catch(
    (error) =>
      refuse(
        error,
        (code) => code === "42P04",
        `The database ${name} is absent and could not be made: ${error.message}`,
      ),
  );
}

function refuse(error, isExpected, message = `The database cannot be reached: ${error.message}`) {
  if (!isExpected(error.code)) throw new Error(message);
  return false;
}

export async function migrate({ migration, product }, redisUrl) {
  const env = { MIGRATION_DATABASE_URL: migration, DATABASE_URL: product, REDIS_URL: redisUrl };
  await step("migrate", process.execPath, ["prisma/migrate.mjs"], { env, quiet: true });
}

async function withClient(connectionString, use) {
  const pg = createRequire(path.join(root, "package.json"))("pg"); // only there after the installation
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
