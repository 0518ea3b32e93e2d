// The rows of a database as files and back: one gzip of COPY's text for each table, all of one moment. No program of Postgres is
// needed, and none has to be of the server's version: the schema comes from the migrations.
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import pg from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";

/** The ledger of migrations is written by the migrations, not carried over as rows. */
const LEDGER = "_prisma_migrations";
const fileOf = (folder, schema, table) => path.join(folder, `${schema}.${table}.copy.gz`);

export async function withClient(connectionString, use) {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** Every table and sequence of a schema as it is at one moment, beside whatever `alsoRead` reads in the same moment. */
export async function dump(client, folder, schema, alsoRead = async () => ({})) {
  await client.query("begin isolation level repeatable read read only");
  const also = await alsoRead(client);
  const tables = [];
  for (const { name, columns } of await tablesOf(client, schema)) {
    const source = client.query(copyTo(`copy (${selectOf(client, schema, name, columns)}) to stdout`));
    const file = fileOf(folder, schema, name);
    await pipeline(source, createGzip(), fs.createWriteStream(file, { mode: 0o600 }));
    tables.push({ name, columns, rows: source.rowCount, sha256: await digestOf(file) });
  }
  const { rows: sequences } = await client.query(
    `select sequencename as "name", last_value::text as "value" from pg_sequences where schemaname = $1 and last_value is not null order by 1`,
    [schema],
  );
  await client.query("commit");
  return { schema, tables, sequences, ...also };
}

/** Fails where a file is not as it was written. */
export async function check(folder, { schema, tables }) {
  for (const { name, sha256 } of tables)
    if ((await digestOf(fileOf(folder, schema, name))) !== sha256)
      throw new Error(`The file of the table ${name} is not as it was written.`);
}

/**
 * Puts the rows in place of what the migrations left in the tables, in one transaction. Foreign keys are dropped meanwhile and
 * checked when they are restored; triggers do not fire: what they keep is carried over too.
 */
export async function load(client, folder, { schema, tables, sequences }) {
  await client.query("begin");
  const { rows: keys } = await client.query(
    `select conrelid::regclass::text as "table", quote_ident(conname) as "name", pg_get_constraintdef(oid) as "definition"
     from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = $1::regnamespace`,
    [schema],
  );
  const names = (await tablesOf(client, schema)).map(({ name }) => inSql(client, schema, name));
  const missing = tables.filter(({ name }) => !names.includes(inSql(client, schema, name)));
  if (missing.length > 0) throw new Error(`The schema has no table ${missing[0].name}.`);
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
  for (const name of names) await client.query(`alter table ${name} disable trigger user`);
  await client.query(`truncate ${names.join(", ")}`);
  for (const { name, columns, rows } of tables) {
    const target = client.query(copyFrom(`copy ${inSql(client, schema, name, columns)} from stdin`));
    await pipeline(fs.createReadStream(fileOf(folder, schema, name)), createGunzip(), target);
    if (target.rowCount !== rows) throw new Error(`${name}: ${target.rowCount} of ${rows} rows came back.`);
  }
  for (const { name, value } of sequences)
    await client.query("select setval($1::regclass, $2::bigint)", [inSql(client, schema, name), value]);
  for (const { table, name, definition } of keys)
    await client.query(`alter table ${table} add constraint ${name} ${definition}`);
  for (const name of names) await client.query(`alter table ${name} enable trigger user`);
  await client.query("commit");
}

/** Whether there is nothing in the database that could be overwritten. */
export async function isEmpty(client) {
  const { rowCount } = await client.query(
    `select from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where nspname not like 'pg\\_%' and nspname <> 'information_schema' and relkind in ('r', 'p', 'v', 'm', 'S') limit 1`,
  );
  return rowCount === 0;
}

async function tablesOf(client, schema) {
  const { rows } = await client.query(
    `select relname as "name", array_agg(attname::text order by attnum) as "columns"
     from pg_class c join pg_attribute a on a.attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
     where relnamespace = to_regnamespace($1) and relkind in ('r', 'p') and relname <> $2 group by relname order by relname`,
    [schema, LEDGER],
  );
  return rows;
}

function inSql(client, schema, name, columns) {
  const table = `${client.escapeIdentifier(schema)}.${client.escapeIdentifier(name)}`;
  return columns ? `${table} (${listOf(client, columns)})` : table;
}

/** COPY reads no partitioned table by its name. */
const selectOf = (client, schema, name, columns) =>
  `select ${listOf(client, columns)} from ${inSql(client, schema, name)}`;

const listOf = (client, columns) => columns.map((column) => client.escapeIdentifier(column)).join(", ");

async function digestOf(file) {
  const hash = createHash("sha256");
  await pipeline(fs.createReadStream(file), hash);
  return hash.digest("hex");
}
