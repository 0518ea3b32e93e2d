import type { UserEvent } from "../../core/log-user-events.ts";
import type { SubmittedLeg } from "./send-leg.ts";
import { undecidedText } from "./undecided-text.ts";

/** The log line of what became of an order that was to be sent. `what`: "order to buy 10 SPY". */
export function outcomeText(
  what: string,
  { status, reason }: Pick<SubmittedLeg, "status" | "reason">,
): Pick<UserEvent, "level" | "message"> {
  switch (status) {
    case "LIVE":
    case "FILLED":
      return { level: "info", message: `Sent: ${what}` };
    case "SKIPPED":
      return { level: "debug", message: `Postponed to the next look: ${what}: ${reason ?? "no reason"}` };
    case "DENIED":
    case "HALTED":
      return { level: "warn", message: `Not sent: ${what}: ${reason ?? "no reason"}` };
    case "REJECTED":
      return { level: "error", message: `Rejected by the broker: ${what}: ${reason ?? "no reason"}` };
    default:
      return (
        undecidedText(what, { status, reason }) ?? {
          level: "info",
          message: `${status.toLowerCase()}: ${what}${reason === null ? "" : `: ${reason}`}`,
        }
      );
  }
}
