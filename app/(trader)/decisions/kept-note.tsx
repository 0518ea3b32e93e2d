import { countText } from "@/lib/domain/format.ts";

/** Under the list, where decisions that placed no order are deleted after some time. */
export function KeptNote({ days }: { days: number | null }) {
  if (days === null) return null;
  const kept = days === 1 ? "1 day" : `${countText(days)} days`;
  return <p className="text-xs text-muted">{`Decisions that placed no order are kept for ${kept}.`}</p>;
}
