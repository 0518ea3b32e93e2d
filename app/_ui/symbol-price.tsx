import { dateText } from "@/lib/domain/format.ts";
import { Money } from "./money.tsx";
import { Percent } from "./percent.tsx";

interface Priced {
  price: number | null;
  dayChange: { amount: number; percent: number; since: string } | null;
}

/** The price, large, with its change of the day. */
export function SymbolPrice({ of: { price, dayChange } }: { of: Priced }) {
  if (price === null) return <p className="text-muted">No price is known.</p>;
  return (
    <p className="flex flex-wrap items-baseline gap-x-3">
      <span className="text-3xl font-semibold tracking-tight">
        <Money value={price} />
      </span>
      {dayChange !== null && (
        <span className="text-sm">
          <Money value={dayChange.amount} isChange /> (<Percent value={dayChange.percent} />){" "}
          <span className="text-xs whitespace-nowrap text-muted">since the close of {dateText(dayChange.since)}</span>
        </span>
      )}
    </p>
  );
}
