import type { GateResult } from "../engine/plan.ts";
import type { GateInput } from "./gate.ts";
import { GATE_OF } from "./gates.ts";
import { countedUp, moreDollars } from "./texts.ts";

function flipOf({ code, margin, detail }: GateResult, input: GateInput): string {
  const { label, unit, flip } = GATE_OF[code];
  const lacking = margin === null ? null : -margin;
  if (flip !== undefined) return flip(lacking, input);
  if (unit === "USD") return lacking === null ? detail : `${moreDollars(lacking)} of ${label}`;
  if (unit === "session") return lacking === null ? detail : `${countedUp(lacking, "more session")} (${label})`;
  return `${label} to clear (${detail})`;
}

/** What would have to change for the entry to pass: every refusing gate's own distance, in words; null when it passes. */
export function nearestFlip(results: readonly GateResult[], input: GateInput): string | null {
  const refusing = results.filter(({ passed, isWarning }) => !passed && !isWarning);
  // Without a size nothing else is wrong with the size gate when a limit already says which room is missing.
  const reported = refusing.length > 1 ? refusing.filter(({ code }) => code !== "size") : refusing;
  return reported.length === 0 ? null : `needs ${reported.map((result) => flipOf(result, input)).join("; ")}`;
}
