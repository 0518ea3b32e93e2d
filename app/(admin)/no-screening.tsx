import type { MarketName } from "@/lib/domain/enums.ts";
import { Empty } from "../_ui/empty.tsx";
import { Time } from "../_ui/time.tsx";
import { MARKET_LABELS } from "./use-market.ts";

interface NoScreeningProps {
  of: { market: MarketName; nextScreening: { at: string | null; reason: string | null } };
}

/** Before the first screening of a market: when it will be, or why that is unknown. */
export function NoScreening({ of: { market, nextScreening } }: NoScreeningProps) {
  return (
    <div className="rounded-xl border border-line bg-surface">
      <Empty title={`The ${market === "US" ? MARKET_LABELS.US : "practice market"} has not been screened yet`}>
        <p className="max-w-sm text-sm text-muted">
          {nextScreening.at === null ? (
            nextScreening.reason
          ) : (
            <>
              The next screening is due at <Time at={nextScreening.at} />, market time.
            </>
          )}
        </p>
      </Empty>
    </div>
  );
}
