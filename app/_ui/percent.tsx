import { signedPercentText } from "@/lib/domain/format.ts";

/** A percentage with its sign and an arrow: never colour alone. */
export function Percent({ value }: { value: number | null | undefined }) {
  // What reads 0.00% points nowhere.
  const change = Math.abs(value ?? 0) < 0.005 ? 0 : (value ?? 0);
  const tone = change > 0 ? "text-gain" : change < 0 ? "text-loss" : "text-muted";
  const arrow = change > 0 ? "▲" : change < 0 ? "▼" : "";
  return (
    <span className={`whitespace-nowrap tabular-nums ${tone}`}>
      {arrow !== "" && (
        <span aria-hidden className="mr-1 text-[0.7em]">
          {arrow}
        </span>
      )}
      {signedPercentText(value)}
    </span>
  );
}
