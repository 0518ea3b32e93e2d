import { shareText } from "@/lib/domain/canary.ts";
import { countText } from "@/lib/domain/format.ts";
import type { CanaryState } from "@/lib/server/services/system/read-canary.ts";

/** What `npm run canary` prints. */
export function describeCanary({ share, isAlive, processes, canary, others }: CanaryState): string[] {
  const line = (title: string, name: keyof typeof canary) =>
    `  ${title.padEnd(36)} ${countText(canary[name]).padStart(9)} ${countText(others[name]).padStart(9)}`;
  const taker = isAlive ? "the canary's" : "the ordinary workers', as no canary lives";
  return [
    `Share: ${shareText(share)}${share === 0 ? ", every account is the ordinary workers'" : `, its accounts are ${taker}`}`,
    ...(processes.length === 0 ? ["No worker runs."] : []),
    ...processes.map(
      ({ kind, owner, build, orderProtocol, ageMs }) =>
        `${kind === "canary" ? "Canary" : "Worker"} ${owner}: build ${build}, order protocol ${orderProtocol}, last beat ${Math.round(ageMs / 1000)} s ago`,
    ),
    `  ${"".padEnd(36)} ${"the share".padStart(9)} ${"others".padStart(9)}`,
    line("accounts", "accounts"),
    line("decisions in the last hour", "decisions"),
    line("orders halted or in doubt, last hour", "ordersInDoubt"),
    line("accounts whose last job failed", "failing"),
    line("accounts halted", "halted"),
    line("accounts with a broken invariant", "broken"),
  ];
}
