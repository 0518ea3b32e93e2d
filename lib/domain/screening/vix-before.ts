import type { Policy } from "../policy.ts";
import type { SessionDate } from "../time.ts";

/**
 * The VIX that is known before a session: its newest close that is not older than the policy allows, 1 meaning the session
 * before; null where there is none.
 *
 * @param place of the session in `sessions`, ascending
 */
export function vixBefore(
  sessions: readonly SessionDate[],
  place: number,
  vixOn: ReadonlyMap<SessionDate, number>,
  policy: Policy,
): number | null {
  for (let age = 1; age <= policy.providers_consensus.max_vix_age_sessions; age += 1) {
    const close = vixOn.get(sessions[place - age] ?? "");
    if (close !== undefined) return close;
  }
  return null;
}
