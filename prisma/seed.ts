/**
 * What a new installation holds: the first policy, the flags, the limits, the first administrator, and (unless DEMO=0)
 * a demo trader whose history the engine itself made over past days of the practice market.
 * Idempotent: a second run changes nothing.
 */
import { env } from "../lib/server/env.ts";
import { ensureFlags } from "../lib/server/services/flags/ensure-flags.ts";
import { ensureRotationConfig } from "../lib/server/services/rotation/config-row.ts";
import { activePolicy } from "../lib/server/core/active-policy.ts";
import { ensureRateLimits } from "../lib/server/services/rate-limits/ensure-rate-limits.ts";
import { playHistory } from "../lib/server/services/practice/play-history.ts";
import { openDemoAccount } from "../lib/server/services/practice/open-demo-account.ts";
import { systemContext } from "../lib/server/system-context.ts";
import { closeSystem } from "../lib/server/services/queue/close-system.ts";
import { seedPeople } from "./seed-people.ts";

const say = (message: string) => console.log(message);
const context = systemContext("seed");

await activePolicy(context);
await ensureFlags(context);
await ensureRateLimits(context);
await ensureRotationConfig(context);
const traderId = await seedPeople(context);
if (traderId !== null && env().EXCHANGE_URL) {
  await openDemoAccount(context, traderId);
  await playHistory(context, say);
}
await closeSystem(context);
