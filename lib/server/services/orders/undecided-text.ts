import type { SubmittedLeg } from "./send-leg.ts";

/**
 * The log line of an order whose outcome is not known yet: it may be at the broker, so it is not called unsent. Null where the
 * outcome is known. `what`: "order to buy 10 SPY".
 */
export function undecidedText(
  what: string,
  { status, reason }: Pick<SubmittedLeg, "status" | "reason">,
): { level: "warn" | "error"; message: string } | null {
  switch (status) {
    case "PARKED":
      // The broker may have an order under its id: that one was not refused.
      return {
        level: "error",
        message: `An administrator has to decide what becomes of this: ${what}: ${reason ?? "its outcome is not known"}`,
      };
    case "UNKNOWN":
    case "SUBMITTING":
      return { level: "warn", message: `No answer yet, so the broker is being asked: ${what}` };
    default:
      return null;
  }
}
