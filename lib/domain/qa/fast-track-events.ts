import { besideLine } from "../beside-line.ts";
import { counted } from "../counted.ts";
import { judged, type QaRule, unknown } from "./rule.ts";

/** Fast-tracked swaps stand on named, young events, and there are few of them. Margin in events. */
export const fastTrackEvents: QaRule = ({ policy, selection }) => {
  const { fast_track_max, fast_track_max_age_hours } = policy.selector_top50;
  const head = {
    ruleId: "fast_track_events" as const,
    severity: "medium" as const,
    expected: `at most ${fast_track_max} events, each named and at most ${fast_track_max_age_hours} h old`,
  };
  if (selection === null) return unknown(head, "no selection is known");
  const { fastTracked, swaps } = selection;
  const known = new Set(fastTracked.map(({ symbol }) => symbol));
  const failing = fastTracked
    .filter(
      ({ eventId, source, ageHours }) =>
        eventId === "" || source === "" || !(ageHours >= 0 && ageHours <= fast_track_max_age_hours),
    )
    .map(
      ({ symbol, eventId, ageHours }) =>
        `${symbol}: event "${eventId}" of ${besideLine(ageHours, fast_track_max_age_hours, 1)[0]} h`,
    );
  for (const { challenger, isFastTracked } of swaps)
    if (isFastTracked && !known.has(challenger)) failing.push(`${challenger} was fast-tracked without an event`);
  if (fastTracked.length > fast_track_max) failing.unshift(counted(fastTracked.length, "event"));
  return judged(head, fast_track_max - fastTracked.length, counted(fastTracked.length, "event"), failing);
};
