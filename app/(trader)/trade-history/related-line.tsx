import Link from "next/link";
import { quantityText } from "@/lib/domain/format.ts";
import { Money } from "../../_ui/money.tsx";
import { Time } from "../../_ui/time.tsx";
import { StatusBadge } from "../../_ui/status-badge.tsx";
import { Side } from "./trade-parts.tsx";
import { orderLabel, ROLE, type TradeDetail } from "./labels.ts";

export type Related = NonNullable<TradeDetail["parent"]> &
  Partial<Pick<TradeDetail["legs"][number], "isRaised" | "submittedAt">>;

const link =
  "tap inline-flex min-h-6 items-center rounded-sm font-medium text-accent underline-offset-4 hover:underline";

/** The broker's word is shown where it says more than ours. */
const isSameStatus = ({ status, brokerStatus }: Related) =>
  brokerStatus.toUpperCase().replace("CANCELED", "CANCELLED") === status;

/** Another order beside a trade, with the way to its page. */
export function RelatedLine({
  related,
  at,
  isThis = false,
}: {
  related: Related;
  at?: string | undefined;
  isThis?: boolean;
}) {
  const price = related.averagePrice ?? related.stopPrice ?? related.limitPrice;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Side side={related.side} />
        {isThis ? (
          <span className="font-medium">{ROLE[related.role]} (this trade)</span>
        ) : (
          <Link href={`/trade-history/${related.id}`} prefetch={false} className={link}>
            {related.isRaised === true ? "Stop raised" : ROLE[related.role]}
          </Link>
        )}
        <StatusBadge status={related.status} />
        {!isSameStatus(related) && (
          <span className="text-xs text-muted" title="The broker's own status">
            {orderLabel(related.brokerStatus)}
          </span>
        )}
      </span>
      <span className="flex flex-wrap items-center gap-x-3 tabular-nums">
        <span>
          {quantityText(related.averagePrice === null ? related.quantity : related.filledQuantity)}
          {price !== null && (
            <>
              {" at "}
              <Money value={price} />
            </>
          )}
        </span>
        {at !== undefined && (
          <span className="text-xs text-muted">
            <Time at={at} />
          </span>
        )}
      </span>
    </li>
  );
}
