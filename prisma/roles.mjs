// Roles of the database: `migrate` owns the schema, `app` is what web, worker and watchdog sign in as, the practice exchange has
// one and a database of its own. `node prisma/roles.mjs` makes them as SUPERUSER_DATABASE_URL; names and passwords are those of the other addresses.
import path from "node:path";
import { pathToFileURL } from "node:url";
import pg from "pg";

/** What the application may only read, or read and append to. Its other tables: SELECT, INSERT, UPDATE, DELETE, never TRUNCATE. */
const RESTRICTED = {
  AuditEvent: "update, delete",
  AuditHead: "insert, update, delete",
  _prisma_migrations: "insert, update, delete",
};
/** The product's tables, and those of the queue where it lives in Postgres. */
const SCHEMAS = ["public", "bullmq"];
/** Owned like them, and closed to the application: it reaches the rows by the tables in front of the partitions. */
const PARTITIONS = "partitions";
/** Two starts at once would write the same rows of the catalogue. */
const ROLES_LOCK = 720_261_123;

export function userOf(url) {
  return decodeURIComponent(new URL(url).username);
}

/** Makes the roles and databases that are absent and sets what they may do. Changes nothing where all is as it should be. */
export async function prepareRoles({ superuserUrl, migrationUrl, appUrl, exchangeUrl }) {
  await withClient(superuserUrl, async (client) => {
    await client.query(`select pg_advisory_lock(${ROLES_LOCK})`);
    for (const url of [migrationUrl, appUrl, exchangeUrl]) if (url) await ensureRole(client, url);
    await ensureOwnDatabase(client, migrationUrl, [userOf(appUrl)]);
    await takeOwnership(superuserUrl, migrationUrl);
    if (!exchangeUrl) return;
    await ensureOwnDatabase(client, exchangeUrl, []);
    await takeOwnership(superuserUrl, exchangeUrl);
  });
}

async function ensureRole(client, url) {
  const role = client.escapeIdentifier(userOf(url));
  const { rowCount } = await client.query("select from pg_roles where rolname = $1", [userOf(url)]);
  if (rowCount === 0) await client.query(`create role ${role}`);
  const password = client.escapeLiteral(decodeURIComponent(new URL(url).password));
  await client.query(
    `alter role ${role} with login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password ${password}`,
  );
}

async function ensureOwnDatabase(client, url, guests) {
  const name = decodeURIComponent(new URL(url).pathname.slice(1));
  const [database, owner] = [name, userOf(url)].map((text) => client.escapeIdentifier(text));
  const { rowCount } = await client.query("select from pg_database where datname = $1", [name]);
  if (rowCount === 0) await client.query(`create database ${database} owner ${owner}`);
  await client.query(`alter database ${database} owner to ${owner}; revoke all on database ${database} from public`);
  for (const guest of guests)
    await client.query(`grant connect on database ${database} to ${client.escapeIdentifier(guest)}`);
}

/** What a superuser made before there were roles becomes the owner's. */
async function takeOwnership(superuserUrl, url) {
  const inDatabase = Object.assign(new URL(superuserUrl), { pathname: new URL(url).pathname }).href;
  await withClient(inDatabase, async (client) => {
    const owner = userOf(url);
    const { rows } = await client.query(
      `with mine as (select oid from pg_roles where rolname = $1), ours as (select oid, nspname from pg_namespace where nspname = any($2))
       select format('alter schema %I owner to %I', nspname, $1) as change from pg_namespace
         where nspname = any($2) and nspowner <> (select oid from mine)
       union all
       select format('alter %s %I.%I owner to %I', case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end, nspname, relname, $1)
         from pg_class c join ours on ours.oid = relnamespace
         where relkind in ('r', 'p', 'v', 'm', 'S') and relowner <> (select oid from mine)
           and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i') and relkind = 'S')
       union all
       select format('alter type %I.%I owner to %I', nspname, typname, $1) from pg_type t join ours on ours.oid = typnamespace
         where typtype in ('e', 'd') and typowner <> (select oid from mine)
       union all
       select format('alter routine %s owner to %I', p.oid::regprocedure, $1) from pg_proc p join ours on ours.oid = pronamespace
         where proowner <> (select oid from mine)`,
      [owner, [...SCHEMAS, PARTITIONS]],
    );
    for (const { change } of rows) await client.query(change);
    await client.query("revoke create on schema public from public");
  });
}

/** Gives the application's role its rights on everything that there is, in one transaction: a running application notices nothing. */
export async function grantApplication(client, role) {
  const name = client.escapeIdentifier(role);
  const { rows } = await client.query("select nspname from pg_namespace where nspname = any($1)", [SCHEMAS]);
  const grants = rows.map(({ nspname }) => {
    const schema = client.escapeIdentifier(nspname);
    return `
      grant usage on schema ${schema} to ${name};
      revoke all on all tables in schema ${schema} from ${name};
      grant select, insert, update, delete on all tables in schema ${schema} to ${name};
      grant usage, select on all sequences in schema ${schema} to ${name};
      grant execute on all functions in schema ${schema} to ${name};`;
  });
  const restrictions = Object.entries(RESTRICTED).map(
    ([table, rights]) => `revoke ${rights} on public.${client.escapeIdentifier(table)} from ${name};`,
  );
  await client.query(`begin; ${grants.join("")} ${restrictions.join("")} commit`);
}

async function withClient(connectionString, use) {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** Fails with the names of the addresses that are not given. */
export function requireAddresses(names) {
  const missing = names.filter((name) => !process.env[name]);
  if (missing.length > 0)
    throw new Error(
      `${missing.join(", ")}: not set. A file .env is not read here: give it by node --env-file=.env ${path.relative("", process.argv[1])}`,
    );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { SUPERUSER_DATABASE_URL, MIGRATION_DATABASE_URL, DATABASE_URL, EXCHANGE_DATABASE_URL } = process.env;
  try {
    requireAddresses(["SUPERUSER_DATABASE_URL", "MIGRATION_DATABASE_URL", "DATABASE_URL"]);
    await prepareRoles({
      superuserUrl: SUPERUSER_DATABASE_URL,
      migrationUrl: MIGRATION_DATABASE_URL,
      appUrl: DATABASE_URL,
      exchangeUrl: EXCHANGE_DATABASE_URL,
    });
    console.log("Roles are ready");
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
