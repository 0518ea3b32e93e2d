import type { Given } from "@/lib/contracts/endpoint.ts";
import type { consoleApi } from "@/lib/contracts/console.ts";
import type { Context } from "../../context.ts";
import { PROBES } from "../../providers/probes.ts";

export type ProviderState = Given<typeof consoleApi.testGlobalApis>["providers"][number];

/** Every provider as this installation is set up now, with what the last check of it found. */
export async function readProviderStates({ db }: Pick<Context, "db">): Promise<ProviderState[]> {
  const checks = await db.$queryRaw<
    { provider: string; configured: boolean; working: boolean; message: string; at: Date }[]
  >`
    select distinct on ("provider") "provider", "configured", "working", "message", "at"
    from "ProviderCheck" order by "provider", "at" desc`;
  const lastOf = new Map(checks.map((check) => [check.provider, check]));
  return PROBES.map(({ provider, absence }) => {
    const why = absence();
    const last = lastOf.get(provider);
    if (why !== null) return { provider, configured: false, working: false, message: why, lastCheck: last?.at ?? null };
    // A check from before it was configured says nothing of it.
    if (!last?.configured)
      return { provider, configured: true, working: null, message: "Not checked yet.", lastCheck: null };
    return { provider, configured: true, working: last.working, message: last.message, lastCheck: last.at };
  });
}

/** Valid are those that work, invalid those that are configured and do not. */
export function countStates(states: readonly ProviderState[]) {
  const checked = states.filter(({ configured, working }) => configured && working !== null);
  const valid = checked.filter(({ working }) => working === true).length;
  const times = checked.flatMap(({ lastCheck }) => (lastCheck instanceof Date ? [lastCheck.getTime()] : []));
  return {
    timestamp: times.length === 0 ? null : new Date(Math.max(...times)),
    total: checked.length,
    valid,
    invalid: checked.length - valid,
  };
}
