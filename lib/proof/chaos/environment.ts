import { CONTROL_TOKEN } from "@/lib/proof/fixtures/orders.ts";

/** The environment of a run: a database of its own, secrets that open nothing, no broker but the practice exchange. */
export function chaosEnvironment(databaseUrl: string): Record<string, string> {
  const nowhere = "http://127.0.0.1:9";
  return {
    NODE_ENV: "test",
    DATABASE_URL: databaseUrl,
    NEXTAUTH_SECRET: "chaos-secret-".repeat(8),
    MASTER_KEYS: `1:${Buffer.alloc(32, 9).toString("base64")}`,
    AUDIT_KEY: "chaos-audit-key-".repeat(4),
    EXCHANGE_CONTROL_TOKEN: CONTROL_TOKEN,
    ALPACA_PAPER_URL: nowhere,
    ALPACA_LIVE_URL: nowhere,
    ALPACA_DATA_URL: nowhere,
    LOG_LEVEL: "warn",
  };
}
