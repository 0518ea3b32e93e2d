import { DAY_MS, type Instant, newYork } from "@/lib/domain/time.ts";

interface Held {
  stopDistancePercent: number | null;
}

/** What is nearest to its stop first; what has no stop or no price before all of them, as it needs a look most. */
export function byNeed<T extends Held>(positions: readonly T[]): T[] {
  const nearness = ({ stopDistancePercent }: T) => (stopDistancePercent === null ? Infinity : stopDistancePercent);
  // Both without a distance: infinity less infinity is no order.
  return positions.toSorted((a, b) => (nearness(a) === nearness(b) ? 0 : nearness(b) - nearness(a)));
}

/** New York days from one to the other: "since today", "1 day", "9 days". */
export function heldText(openedAt: Instant, marketNow: Instant): string {
  const midnight = (instant: Instant) => Date.parse(`${newYork(instant).date}T00:00:00.000Z`);
  const days = Math.round((midnight(marketNow) - midnight(openedAt)) / DAY_MS);
  if (days <= 0) return "since today";
  return days === 1 ? "1 day" : `${days} days`;
}
