// The two databases: the product's, and the practice exchange's own.
import { createRequire } from "node:module";
import path from "node:path";
import { root } from "./settings.mjs";
import { step } from "./step.mjs";

/** Addresses of both, on our own Postgres or on the one that DATABASE_URL names. */
export function databaseUrls(postgres) {
  if (postgres) return { product: postgres.urlFor("tradewind"), exchange: postgres.urlFor("exchange") };
  const product = process.env.DATABASE_URL;
  const beside = new URL(product);
  beside.pathname = `${beside.pathname}_exchange`;
  return { product, exchange: process.env.EXCHANGE_DATABASE_URL || beside.href };
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

export async function migrate(url) {
  await step("migrate", process.execPath, ["prisma/migrate.mjs"], { env: { DATABASE_URL: url }, quiet: true });
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
