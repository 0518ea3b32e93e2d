#!/usr/bin/env node
/**
 * Prisma schema engine, WebAssembly edition.
 *
 * The Prisma CLI talks JSON-RPC (one JSON object per line, stdin/stdout) to a native
 * "schema-engine" executable which it downloads on first use. This file answers the same
 * protocol with Prisma's own WebAssembly build of that engine (npm: @prisma/schema-engine-wasm,
 * same engine commit as the `prisma` package) on top of `pg`, so that `prisma migrate ...`,
 * `prisma db ...` and `prisma generate` need no download.
 *
 * prisma.config.ts points PRISMA_SCHEMA_ENGINE_BINARY here when no native engine is installed.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import readline from "node:readline";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from "@prisma/driver-adapter-utils";
import pg from "pg";

const require = createRequire(import.meta.url);

const { values: args, positionals } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: {
    datamodels: { type: "string", multiple: true },
    datasource: { type: "string" },
    "enabled-preview-features": { type: "string" },
    "extension-types": { type: "string" },
    version: { type: "boolean" },
  },
});

async function loadWasmEngine() {
  const dir = path.dirname(require.resolve("@prisma/schema-engine-wasm"));
  const glue = await import(pathToFileURL(path.join(dir, "schema_engine_bg.js")).href);
  const compiled = await WebAssembly.compile(await readFile(path.join(dir, "schema_engine_bg.wasm")));
  const instance = await WebAssembly.instantiate(compiled, { "./schema_engine_bg.js": glue });
  glue.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return glue;
}

/** What `sslmode` means to pg; anything else leaves it to pg's own default. */
const SSL = {
  disable: false,
  require: { rejectUnauthorized: false },
  "verify-ca": true,
  "verify-full": true,
};

/** Splits a Prisma style URL into pg pool options and the `schema` parameter. */
function parseUrl(url) {
  const parsed = new URL(url);
  const schema = parsed.searchParams.get("schema") ?? undefined;
  for (const key of ["schema", "connection_limit", "pool_timeout", "pgbouncer", "connect_timeout", "socket_timeout"]) {
    parsed.searchParams.delete(key);
  }
  // Individual fields, not `connectionString`: pg lets the latter win over `database`.
  return {
    schema,
    config: {
      host: parsed.hostname.replace(/^\[|\]$/g, "") || undefined,
      port: parsed.port ? Number(parsed.port) : undefined,
      user: decodeURIComponent(parsed.username) || undefined,
      password: decodeURIComponent(parsed.password) || undefined,
      database: decodeURIComponent(parsed.pathname.slice(1)) || undefined,
      ssl: SSL[parsed.searchParams.get("sslmode") ?? ""],
      connectionTimeoutMillis: 10_000,
    },
  };
}

const PG_CHAR = 18; // the internal "char" type of the system catalogs, unknown to @prisma/adapter-pg
const PG_TEXT = 25;

/**
 * Two things the schema engine needs and the adapter lacks:
 * - a script is one simple query, as with the native engine (the adapter splits it on ";");
 * - "char" columns of pg_catalog.
 */
function migrationAware(adapter) {
  const pool = adapter.underlyingDriver();
  const poolQuery = pool.query.bind(pool);
  const charColumns = new WeakMap();
  pool.query = async (...params) => {
    const result = await poolQuery(...params);
    result.fields?.forEach((field, index) => {
      if (field.dataTypeID !== PG_CHAR) return;
      field.dataTypeID = PG_TEXT;
      charColumns.set(result.rows, [...(charColumns.get(result.rows) ?? []), index]);
    });
    return result;
  };
  const queryRaw = adapter.queryRaw.bind(adapter);
  adapter.queryRaw = async (query) => {
    const result = await queryRaw(query);
    for (const index of charColumns.get(result.rows) ?? []) result.columnTypes[index] = ColumnTypeEnum.Character;
    return result;
  };
  adapter.executeScript = async (script) => {
    try {
      await poolQuery(script);
    } catch (error) {
      adapter.onError(error);
    }
  };
  return adapter;
}

function createFactory({ url }) {
  const { config, schema } = parseUrl(url);
  const connect = async (poolConfig) => migrationAware(await new PrismaPg(poolConfig, { schema }).connect());
  return {
    provider: "postgres",
    adapterName: "@prisma/adapter-pg",
    connect: () => connect(config),
    connectToShadowDb: async () => {
      const database = `prisma_migrate_shadow_db_${crypto.randomUUID()}`;
      const admin = await connect(config);
      await admin.executeScript(`CREATE DATABASE "${database}"`);
      const shadow = await connect({ ...config, database });
      const disposeShadow = shadow.dispose.bind(shadow);
      shadow.dispose = async () => {
        await disposeShadow();
        await admin.executeScript(`DROP DATABASE IF EXISTS "${database}" WITH (FORCE)`);
        await admin.dispose();
      };
      return shadow;
    },
  };
}

const PG_ERRORS = { "3D000": "P1003", "28P01": "P1000", 28000: "P1000", "42P04": "P1009", 42501: "P1010" };

function fatal(error) {
  const code = PG_ERRORS[error.code] ?? "P1001";
  const log = (level, message, fields = {}) =>
    process.stderr.write(
      `${JSON.stringify({ timestamp: new Date().toISOString(), level, fields: { message, ...fields }, target: "schema_engine::logger" })}\n`,
    );
  log("INFO", "schema-engine-wasm");
  log("ERROR", error.message || String(error), { is_panic: false, error_code: code });
  process.exit(1);
}

async function cli(command, datasource) {
  const { config } = parseUrl(datasource.url);
  const database = config.database;
  const client = new pg.Client(command === "create-database" ? { ...config, database: "postgres" } : config);
  try {
    await client.connect();
    if (command === "create-database") await client.query(`CREATE DATABASE ${pg.escapeIdentifier(database)}`);
    await client.end();
    process.stderr.write("ok\n");
  } catch (error) {
    fatal(error);
  }
}

async function serve(datasource) {
  const { SchemaEngine } = await loadWasmEngine();
  const datamodels = args.datamodels?.length
    ? await Promise.all(args.datamodels.map(async (file) => [file, await readFile(file, "utf8")]))
    : undefined;
  const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

  let engine;
  let registry;
  const getEngine = async () => {
    if (!engine) {
      const factory = bindMigrationAwareSqlAdapterFactory(createFactory(datasource));
      registry = factory.errorRegistry;
      engine = await SchemaEngine.new({ datamodels }, () => {}, factory);
    }
    return engine;
  };

  let printId = 0;
  const handlers = {
    getDatabaseVersion: (e, params) => e.version(params),
    createDatabase: async () => {
      await cli("create-database", datasource);
      return { databaseName: parseUrl(datasource.url).config.database };
    },
    diff: async (e, params) => {
      const { stdout, ...result } = await e.diff(params);
      if (stdout) send({ id: `print-${++printId}`, method: "print", params: { content: stdout } });
      return result;
    },
  };

  const handle = async ({ id, method, params }) => {
    try {
      const e = await getEngine();
      const result = await (handlers[method] ?? ((_, p) => e[method](p)))(e, params);
      send({ id, result: result ?? null });
    } catch (error) {
      const cause = registry?.lookupError?.(error)?.error ?? error;
      const message = cause?.message ?? String(cause);
      send({
        id,
        error: {
          code: 4466,
          message: "An error happened. Check the data field for details.",
          data: { is_panic: cause instanceof WebAssembly.RuntimeError, message, meta: null, error_code: cause?.code },
        },
      });
    }
  };

  let queue = Promise.resolve();
  for await (const line of readline.createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    if (!line.trim()) continue;
    const message = JSON.parse(line);
    if (message.method) queue = queue.then(() => handle(message)); // replies to our own "print" carry no method
  }
  await queue;
  process.exit(0);
}

if (args.version || positionals.includes("version")) {
  const { version } = require(path.join(path.dirname(require.resolve("@prisma/schema-engine-wasm")), "package.json"));
  process.stdout.write(`schema-engine-wasm ${version}\n`);
} else {
  const datasource = args.datasource ? JSON.parse(args.datasource) : {};
  if (positionals[0] === "cli") await cli(positionals[1], datasource);
  else await serve(datasource);
}
