import { Fold } from "../../_ui/fold.tsx";
import { Money } from "../../_ui/money.tsx";
import { RelatedLine } from "./related-line.tsx";
import type { Trade } from "./labels.ts";

type Leg = Trade["protection"][number];

/** The stop that holds, or the last that did, in a line: "stop at $211.40, raised". */
export function ProtectionText({ legs }: { legs: readonly Leg[] }) {
  const stops = legs.filter(({ role, stopPrice }) => role === "STOP" && stopPrice !== null);
  const stop = stops.findLast(({ status }) => status === "PENDING") ?? stops.at(-1);
  if (stop === undefined) return <span>{legs.length === 1 ? "1 order" : `${legs.length} orders`}</span>;
  return (
    <span>
      stop {SAID[stop.status] ?? "was at"} <Money value={stop.stopPrice} />
      {stops.some(({ isRaised }) => isRaised) && ", raised"}
    </span>
  );
}

/** Of a stop that rests, and of one that sold. */
const SAID: Partial<Record<Leg["status"], string>> = { PENDING: "at", FILLED: "filled, set at" };

/** The protective orders of a purchase, folded into its row. */
export function Protection({ legs }: { legs: readonly Leg[] }) {
  if (legs.length === 0) return null;
  return (
    <Fold className="text-xs text-muted" summary={<ProtectionText legs={legs} />}>
      <ul aria-label="Protective orders" className="mt-1 max-w-96 min-w-64 divide-y divide-line pl-4 text-ink">
        {legs.map((leg) => (
          <RelatedLine key={leg.id} related={leg} at={leg.submittedAt} />
        ))}
      </ul>
    </Fold>
  );
}
