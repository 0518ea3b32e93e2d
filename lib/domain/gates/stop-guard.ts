import { sessionsSince } from "../risk/sessions.ts";
import { byMargin, type Gate, missing } from "./gate.ts";
import { counted } from "../counted.ts";

/** Several stop-outs in a short window stop all entries for a while. Margin in sessions. */
export const stopGuard = {
  code: "stop_guard",
  label: "stop guard",
  explanation: "After too many stops in a short time, nothing is bought for some sessions.",
  scope: "account",
  unit: "session",
  check: ({ state, market, policy }) => {
    const {
      stop_guard_count: count,
      stop_guard_window_sessions: window,
      stop_guard_pause_sessions: pause,
    } = policy.pretrade_filters;
    const ages: number[] = [];
    for (const { session } of state.stopOuts) {
      const age = sessionsSince(market.sessions, session, market.session.date);
      if (age === null) return missing("today is not in the known sessions");
      ages.push(age);
    }
    ages.sort((a, b) => a - b);
    // Youngest first: the guard trips at stop-out i when count of them lie within the window that ends there.
    const trip = ages.findIndex((age, i) => {
      const oldest = ages[i + count - 1];
      return oldest !== undefined && oldest - age < window;
    });
    if (trip === -1) {
      const recent = () => ages.filter((age) => age < window).length;
      return byMargin(0, () => `${counted(recent(), "stop-out")} in ${counted(window, "session")}`);
    }
    const since = ages[trip]!;
    return byMargin(
      since - pause - 1,
      () =>
        `${counted(count, "stop-out")} in ${counted(window, "session")}, the last ${counted(since, "session")} ago; waits ${counted(pause, "session")}`,
    );
  },
} as const satisfies Gate;
