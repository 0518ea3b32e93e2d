import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { defineConfig } from "prisma/config";

// Prisma 7 no longer reads .env by itself.
for (const file of [".env.local", ".env"]) if (existsSync(file)) process.loadEnvFile(file);

// No native schema engine on this machine? Use the WebAssembly one (see prisma/schema-engine.mjs).
const engines = path.resolve("node_modules/@prisma/engines");
const hasNativeEngine = existsSync(engines) && readdirSync(engines).some((name) => name.startsWith("schema-engine-"));
if (!hasNativeEngine && process.platform !== "win32") {
  process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= path.resolve("prisma/schema-engine.mjs");
}

export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations", seed: "tsx prisma/seed.ts" },
  ...(process.env.DATABASE_URL ? { datasource: { url: process.env.DATABASE_URL } } : {}),
});
