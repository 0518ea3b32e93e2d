// What Prisma makes of schema.prisma: the SQL for an empty database, as `prisma migrate diff --from-empty` prints it, by the WebAssembly
// build of its engine. Only a test reads it, to hold the migrations against the schema where the native engine cannot be had.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";

async function loadEngine() {
  const folder = path.dirname(createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm"));
  const glue = await import(pathToFileURL(path.join(folder, "schema_engine_bg.js")).href);
  const { instance } = await WebAssembly.instantiate(await readFile(path.join(folder, "schema_engine_bg.wasm")), {
    "./schema_engine_bg.js": glue,
  });
  glue.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return glue.SchemaEngine;
}

/** The database at `connectionString` is connected to and left as it is. */
export async function schemaScript(connectionString) {
  const schema = path.join(import.meta.dirname, "schema.prisma");
  const content = await readFile(schema, "utf8");
  const SchemaEngine = await loadEngine();
  const connection = bindMigrationAwareSqlAdapterFactory(new PrismaPg({ connectionString }));
  const engine = await SchemaEngine.new({ datamodels: [[schema, content]] }, () => undefined, connection);
  const { stdout } = await engine.diff({
    from: { tag: "empty" },
    to: { tag: "schemaDatamodel", files: [{ path: schema, content }] },
    script: true,
    shadowDatabaseUrl: null,
    exitCode: null,
    filters: { externalTables: [], externalEnums: [] },
  });
  return stdout;
}
