/** @type {import('next').NextConfig} */
const nextConfig = {
  output: process.env.NEXT_OUTPUT === "standalone" ? "standalone" : undefined,
  // The browser tests build into a place of their own and leave a running installation alone.
  distDir: process.env.NEXT_DIST_DIR || ".next",
  poweredByHeader: false,
  reactStrictMode: true,
  // `npm test` checks types; a start need not do so again.
  typescript: { ignoreBuildErrors: true },
  // Native or large server libraries stay outside the bundle.
  serverExternalPackages: ["@node-rs/argon2", "bullmq", "ioredis", "pg", "pino", "@alpacahq/alpaca-trade-api"],
};

export default nextConfig;
