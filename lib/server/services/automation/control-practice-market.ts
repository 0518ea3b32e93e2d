import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { practiceMarketApi } from "@/lib/contracts/practice-market.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { Context } from "../../context.ts";
import { recordEvent } from "../../core/record-event.ts";
import { inTransaction } from "../../core/transaction.ts";
import { PracticeRefusal, practiceStatus, setPracticeClock } from "../../providers/practice-control.ts";
import { marketOf, whyFixed, type PracticeMarket } from "./read-practice-market.ts";

type Steering = Received<typeof practiceMarketApi.steer>;
type Change = Parameters<typeof setPracticeClock>[0];

/**
 * Steers the clock of the practice market. The change stands in the trail before the exchange receives it, and the trail says so
 * where it was not taken, or where its answer was lost. Steering to what is so already changes and audits nothing.
 */
export async function controlPracticeMarket(
  context: Context<"admin">,
  steering: Steering,
): Promise<Given<typeof practiceMarketApi.steer>> {
  const status = await practiceStatus();
  const fixed = whyFixed(status);
  if (fixed !== null) throw new Failure("conflict", fixed);
  const before = await marketOf(context, status);
  const change = changeOf(steering, before);
  if (change === null) return { isChanged: false, market: before };
  const data = { action: steering.action, reason: steering.reason, ...beforeAndAfter(before, change) };
  await record(context, "PRACTICE_CLOCK_CHANGED", data);
  try {
    await setPracticeClock(change);
  } catch (error) {
    await record(context, error instanceof PracticeRefusal ? "PRACTICE_CLOCK_REFUSED" : "PRACTICE_CLOCK_UNKNOWN", data);
    throw error;
  }
  context.log.warn("practice-clock.changed", { state: steering.action });
  return { isChanged: true, market: await marketOf(context, await practiceStatus()) };
}

/** Null where it is so already. */
function changeOf(steering: Steering, { speed, isPaused, isOpen, nextOpen }: PracticeMarket): Change | null {
  switch (steering.action) {
    case "speed":
      return steering.speed === speed ? null : { speed: steering.speed };
    case "pause":
      return isPaused ? null : { paused: true };
    case "continue":
      return isPaused ? { paused: false } : null;
    case "skip":
      if (isOpen)
        throw new Failure(
          "conflict",
          "The practice market is open: it skips to the next opening only while it is closed.",
        );
      return { jumpTo: new Date(nextOpen).toISOString() };
  }
}

const beforeAndAfter = ({ speed, isPaused, now }: PracticeMarket, change: Change) => ({
  before: { speed, isPaused, now: new Date(now).toISOString() },
  after: {
    speed: change.speed ?? speed,
    isPaused: change.paused ?? isPaused,
    ...(change.jumpTo === undefined ? {} : { now: change.jumpTo }),
  },
});

const SAYS = {
  speed: "An administrator changed the speed of the practice market",
  pause: "An administrator paused the practice market: no price moves, no order is filled and no stop triggers there",
  continue: "An administrator resumed the practice market",
  skip: "An administrator skipped to the next opening of the practice market",
} as const;

const OUTCOMES = {
  PRACTICE_CLOCK_CHANGED: "",
  PRACTICE_CLOCK_REFUSED: ", but the market did not accept it",
  PRACTICE_CLOCK_UNKNOWN: ", but whether the market took it is not known",
} as const;

function record(
  context: Context<"admin">,
  eventType: "PRACTICE_CLOCK_CHANGED" | "PRACTICE_CLOCK_REFUSED" | "PRACTICE_CLOCK_UNKNOWN",
  data: ReturnType<typeof beforeAndAfter> & Pick<Steering, "action" | "reason">,
): Promise<void> {
  return inTransaction(context, async (tx) => {
    await recordEvent(context, tx, {
      level: "warn",
      message: `${SAYS[data.action]}${OUTCOMES[eventType]}.`,
      userId: null,
      audit: { eventType, data },
    });
  });
}
