import type { AccountState } from "./plan.ts";

/**
 * The account of a record as today's engine reads it: records of engine 1.0 lack sales at a loss, and their round trips
 * are means instead of R. What they do not know is nothing, so that neither a wash sale nor the Kelly bound is made up.
 */
export function recordedState(state: AccountState): AccountState {
  const known: Partial<Pick<AccountState, "lossSales">> & { trips: Partial<AccountState["trips"]> } = state;
  const { strategy } = state.preferences;
  return {
    ...state,
    lossSales: known.lossSales ?? [],
    trips: known.trips.r === undefined ? { strategy, count: 0, unrated: 0, r: [] } : state.trips,
  };
}
