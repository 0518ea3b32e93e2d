import Link from "next/link";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { portfolioApi } from "@/lib/contracts/portfolio.ts";
import { quantityText } from "@/lib/domain/format.ts";
import { Card } from "../../_ui/card.tsx";
import { Empty } from "../../_ui/empty.tsx";
import { Money } from "../../_ui/money.tsx";
import { Percent } from "../../_ui/percent.tsx";
import { Skeleton } from "../../_ui/skeleton.tsx";
import { StopAndTarget } from "./stop-and-target.tsx";

export type Position = Answer<typeof portfolioApi.positions>[number];

interface PositionsCardProps {
  /** Absent while the first reading is under way. */
  positions: Position[] | undefined;
  isStale: boolean;
}

export function PositionsCard({ positions, isStale }: PositionsCardProps) {
  return (
    <Card title="Active Positions" className={isStale ? "text-muted grayscale" : ""}>
      {positions === undefined && <Skeleton className="h-36 w-full" />}
      {positions?.length === 0 && (
        <Empty title="No active positions" hint="Positions appear here when the automation opens them." />
      )}
      {positions !== undefined && positions.length > 0 && (
        <ul className="divide-y divide-line">
          {positions.map((position) => (
            <li
              key={`${position.accountId} ${position.symbol}`}
              className="grid grid-cols-2 items-start gap-x-4 gap-y-3 py-3 first:pt-0 last:pb-0 md:grid-cols-[1fr_1.3fr_1fr]"
            >
              <div className="min-w-0">
                <p>
                  <Link
                    href={`/trade-history?symbol=${encodeURIComponent(position.symbol)}`}
                    className="font-semibold underline-offset-4 hover:underline"
                  >
                    {position.symbol}
                  </Link>
                </p>
                <p className="mt-0.5 text-muted tabular-nums">
                  <span className="amount">{quantityText(position.quantity)}</span> shares at{" "}
                  <Money value={position.averagePrice} />
                </p>
              </div>
              <div className="text-right md:order-last">
                <p className="font-medium">
                  {position.marketValue === null ? <Unpriced /> : <Money value={position.marketValue} />}
                </p>
                <p className="mt-0.5 flex flex-wrap justify-end gap-x-2">
                  {position.unrealizedPnL !== null && <Money value={position.unrealizedPnL} isChange />}
                  <Percent value={position.unrealizedPnLPercent} />
                </p>
              </div>
              <div className="col-span-2 md:col-span-1">
                <StopAndTarget position={position} />
              </div>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Unpriced() {
  return <span className="font-normal text-muted">No price yet</span>;
}
