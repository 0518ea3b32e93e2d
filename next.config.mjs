/** @type {import('next').NextConfig} */
const nextConfig = {
  output: process.env.NEXT_OUTPUT === "standalone" ? "standalone" : undefined,
  poweredByHeader: false,
  reactStrictMode: true,
  // Native or large server libraries stay outside the bundle.
  serverExternalPackages: ["@node-rs/argon2", "bullmq", "ioredis", "pg", "pino", "@alpacahq/alpaca-trade-api"],
};

export default nextConfig;
