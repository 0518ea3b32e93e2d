/**
 * What a new installation holds: the first policy, the flags, the limits, the first administrator, and (unless DEMO=0)
 * a demo trader whose history the engine itself made over past days of the practice market.
 * Idempotent: a second run changes nothing.
 */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DEMO_TRADER_EMAIL } from "../lib/server/demo-trader.ts";
import { env } from "../lib/server/env.ts";
import { ensureFlags } from "../lib/server/services/flags/ensure-flags.ts";
import { ensureRotationConfig } from "../lib/server/services/rotation/config-row.ts";
import { ensureUser } from "../lib/server/services/auth/ensure-user.ts";
import { activePolicy } from "../lib/server/core/active-policy.ts";
import { ensureRateLimits } from "../lib/server/services/rate-limits/ensure-rate-limits.ts";
import { playHistory } from "../lib/server/services/practice/play-history.ts";
import { openDemoAccount } from "../lib/server/services/practice/open-demo-account.ts";
import { systemContext } from "../lib/server/system-context.ts";
import { closeSystem } from "../lib/server/services/queue/close-system.ts";

const say = (message: string) => console.log(message);
const context = systemContext("seed");

interface Demo {
  trader: { email: string; password: string };
  admin: { email: string; password: string };
}

/** Passwords of the demo sign-ins are made once per installation and kept beside its data. */
function demoSignIns(dataDir: string): Demo {
  const file = path.join(dataDir, "demo.json");
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8")) as Demo;
  const password = () => `Tw-${randomBytes(9).toString("base64url")}-7a`;
  const demo: Demo = {
    trader: { email: DEMO_TRADER_EMAIL, password: password() },
    admin: { email: "admin@tradewind.example", password: password() },
  };
  writeFileSync(`${file}.new`, JSON.stringify(demo, null, 2), { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return demo;
}

await activePolicy(context);
await ensureFlags(context);
await ensureRateLimits(context);
await ensureRotationConfig(context);
const { ADMIN_EMAIL, ADMIN_PASSWORD } = env();
if (ADMIN_EMAIL && ADMIN_PASSWORD) {
  await ensureUser(context, {
    email: ADMIN_EMAIL,
    password: ADMIN_PASSWORD,
    firstName: "First",
    lastName: "Administrator",
    role: "ADMIN",
  });
}

const { DATA_DIR, DEMO, EXCHANGE_URL } = env();
if (DEMO && DATA_DIR) {
  const demo = demoSignIns(DATA_DIR);
  await ensureUser(context, { ...demo.admin, firstName: "Ada", lastName: "Marsh", role: "ADMIN" });
  const trader = await ensureUser(context, { ...demo.trader, firstName: "Tom", lastName: "Reed", role: "USER" });
  if (EXCHANGE_URL) {
    await openDemoAccount(context, trader.id);
    await playHistory(context, say);
  }
}
await closeSystem(context);
