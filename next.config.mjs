import { HEADERS } from "./scripts/headers.mjs";

/**
 * Next's own page of last resort writes its style as markup, which our policy stops; ours takes its place, and not beside it.
 * `next dev` then forgets the styles of all other pages, so it keeps Next's.
 */
const ownErrorPage =
  process.env.NODE_ENV === "production"
    ? {
        "./builtin/global-error": "./app/global-error.tsx",
        "../components/builtin/global-error": "./app/global-error.tsx",
      }
    : {};

/** @type {import('next').NextConfig} */
const nextConfig = {
  output: process.env.NEXT_OUTPUT === "standalone" ? "standalone" : undefined,
  // The browser tests build into a place of their own and leave a running installation alone.
  distDir: process.env.NEXT_DIST_DIR || ".next",
  poweredByHeader: false,
  reactStrictMode: true,
  // `npm test` checks types; a start need not do so again.
  typescript: { ignoreBuildErrors: true },
  // No page shows an image that would have to be scaled: nothing answers /_next/image.
  images: { unoptimized: true },
  // Native or large server libraries stay outside the bundle.
  serverExternalPackages: [
    "@node-rs/argon2",
    "bullmq",
    "ioredis",
    "pg",
    "pino",
    "prom-client",
    "@alpacahq/alpaca-trade-api",
    "@opentelemetry/api",
    "@opentelemetry/exporter-trace-otlp-http",
    "@opentelemetry/resources",
    "@opentelemetry/sdk-trace",
  ],
  // What passes proxy.ts is held in memory: more of a body than any call may have is not.
  experimental: {
    proxyClientMaxBodySize: 128 * 1024,
    // The build of the browser tests is made once: a cache for the next one would only cost time.
    turbopackFileSystemCacheForBuild: process.env.BUILD !== "test",
  },
  turbopack: {
    resolveAlias: {
      ...ownErrorPage,
      // What every browser that runs Next has had for years.
      "../build/polyfills/polyfill-module": "next/dist/compiled/server-only/empty.js",
      // Screens take addresses and types from the contracts; schemas and decimals stay on the server.
      zod: { browser: "./lib/client/no-schemas.ts" },
      "./decimal.ts": { browser: "./lib/client/no-decimals.ts" },
    },
  },
  headers: async () => [
    { source: "/:path*", headers: Object.entries(HEADERS).map(([key, value]) => ({ key, value })) },
  ],
};

export default nextConfig;
