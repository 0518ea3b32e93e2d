import { countText } from "@/lib/domain/format.ts";

/** Under the list, where looks that ordered nothing are deleted after some time. */
export function KeptNote({ days }: { days: number | null }) {
  if (days === null) return null;
  return <p className="text-xs text-muted">Looks that ordered nothing are kept for {countText(days)} days.</p>;
}
