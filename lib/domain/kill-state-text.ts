import type { KillStateName } from "./enums.ts";

/** What each state means, for people. */
export const KILL_STATE_TEXT: Record<KillStateName, string> = {
  NONE: "Other stops and pauses stay in force.",
  NO_NEW_ENTRIES: "No new positions are opened; open entry orders are cancelled, except those of a rotation.",
  REDUCE_ONLY: "Positions are only reduced; open purchases are cancelled.",
  FLATTEN: "Open purchases are cancelled, all positions of the engine are sold, and nothing is bought.",
};
