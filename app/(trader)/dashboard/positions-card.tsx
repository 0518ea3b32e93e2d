import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { portfolioApi } from "@/lib/contracts/portfolio.ts";
import { moneyText, quantityText } from "@/lib/domain/format.ts";
import { Card } from "../../_ui/card.tsx";
import { Empty } from "../../_ui/empty.tsx";
import { Money } from "../../_ui/money.tsx";
import { Percent } from "../../_ui/percent.tsx";
import { Skeleton } from "../../_ui/skeleton.tsx";
import { Badges } from "./portfolio-cards.tsx";

type Position = Answer<typeof portfolioApi.positions>[number];

interface PositionsCardProps {
  positions: Position[] | undefined;
  environments: ("PRACTICE" | "PAPER" | "LIVE")[];
}

export function PositionsCard({ positions, environments }: PositionsCardProps) {
  return (
    <Card title="Active Positions" aside={<Badges environments={environments} />} className="lg:col-span-2">
      {positions === undefined && <Skeleton className="h-36 w-full" />}
      {positions?.length === 0 && (
        <Empty title="No active positions" hint="Positions appear here when the automation opens them." />
      )}
      {positions !== undefined && positions.length > 0 && (
        <ul className="divide-y divide-line">
          {positions.map((position) => (
            <li
              key={`${position.accountId} ${position.symbol}`}
              className="flex items-start justify-between gap-4 py-3 first:pt-0 last:pb-0"
            >
              <div className="min-w-0">
                <p className="font-semibold">{position.symbol}</p>
                <p className="mt-0.5 text-muted tabular-nums">
                  {quantityText(position.quantity)} shares at {moneyText(position.averagePrice)}
                </p>
              </div>
              <div className="text-right">
                <p className="font-medium">
                  {position.marketValue === null ? <Unpriced /> : <Money value={position.marketValue} />}
                </p>
                <p className="mt-0.5 flex flex-wrap justify-end gap-x-2">
                  {position.unrealizedPnL !== null && <Money value={position.unrealizedPnL} isChange />}
                  <Percent value={position.unrealizedPnLPercent} />
                </p>
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
