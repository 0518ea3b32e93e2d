// What the programs of a running stack get to see; what the caller's environment gives wins over what is kept.
import { randomUUID } from "node:crypto";
import { dataDir } from "./settings.mjs";

const given = (name) => process.env[name] || undefined;

/** Keys are made once and kept in the data directory. */
export function secretsOf(st) {
  return {
    NEXTAUTH_SECRET: given("NEXTAUTH_SECRET") ?? st.secret("nextAuthSecret", 64),
    // Keys of a file are read by each program itself.
    ...(given("MASTER_KEYS_FILE")
      ? {}
      : {
          MASTER_KEYS: given("MASTER_KEYS") ?? st.secret("masterKeys", 32, (bytes) => `1:${bytes.toString("base64")}`),
        }),
    AUDIT_KEY: given("AUDIT_KEY") ?? st.secret("auditKey", 32),
    EXCHANGE_CONTROL_TOKEN: given("EXCHANGE_CONTROL_TOKEN") ?? st.secret("controlToken", 24),
  };
}

/** The same for web, worker, seed and the command-line tools. */
export function productEnv({ databaseUrl, redisUrl, smtpUrl, exchangeUrl, url, secrets }) {
  return {
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
    ...(smtpUrl ? { SMTP_URL: smtpUrl } : {}),
    ...(exchangeUrl ? { EXCHANGE_URL: exchangeUrl } : {}),
    APP_BASE_URL: given("APP_BASE_URL") ?? url,
    NEXTAUTH_URL: given("APP_BASE_URL") ?? url,
    INSTANCE_ID: randomUUID(),
    ...secrets,
  };
}
