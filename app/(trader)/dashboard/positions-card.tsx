"use client";
import { useState } from "react";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { portfolioApi } from "@/lib/contracts/portfolio.ts";
import { quantityText } from "@/lib/domain/format.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { useEnvironment } from "../../_hooks/use-environment.ts";
import { useMarketReading } from "../../_hooks/use-market-clock.ts";
import { Card } from "../../_ui/card.tsx";
import { Empty } from "../../_ui/empty.tsx";
import { Money } from "../../_ui/money.tsx";
import { Percent } from "../../_ui/percent.tsx";
import { ShowMore } from "../../_ui/show-more.tsx";
import { Skeleton } from "../../_ui/skeleton.tsx";
import { SparkLine } from "../../_ui/spark-line.tsx";
import { SymbolLink } from "../../_ui/symbol-link.tsx";
import { byNeed, heldText } from "./positions-order.ts";
import { StopAndTarget } from "./stop-and-target.tsx";

export type Position = Answer<typeof portfolioApi.positions>[number];

interface PositionsCardProps {
  /** Absent while the first reading is under way. */
  positions: Position[] | undefined;
  /** Named in the rows where positions of several stand. */
  accounts: readonly { id: string; name: string }[];
}

/** Closes come once a session, which on a fast practice market is less than a minute. */
const LINES_POLL_MS = 60_000;
/** A phone shows these; the others on demand. */
const PHONE_ROWS = 4;

export function PositionsCard({ positions, accounts }: PositionsCardProps) {
  const [isWhole, setIsWhole] = useState(false);
  const market = useMarketReading();
  const rows = positions && byNeed(positions);
  const { input } = useEnvironment();
  const isHolding = rows !== undefined && rows.length > 0;
  // Without an answer the rows have no lines: their figures stand all the same.
  const { data } = useEndpoint(portfolioApi.positionLines, input, {
    pollMs: LINES_POLL_MS,
    isEnabled: isHolding,
  });
  const hasSeveral = new Set(rows?.map(({ accountId }) => accountId)).size > 1;
  const folded = Math.max(0, (rows?.length ?? 0) - PHONE_ROWS);
  return (
    <Card title="Active Positions">
      {rows === undefined && <Skeleton className="h-36 w-full" />}
      {rows?.length === 0 && (
        <Empty title="No active positions" hint="Positions appear here when the automation opens them." />
      )}
      {isHolding && (
        <ul className="divide-y divide-line">
          {rows.map((position, index) => (
            <Row
              key={`${position.accountId} ${position.symbol}`}
              position={position}
              account={hasSeveral ? accounts.find(({ id }) => id === position.accountId)?.name : undefined}
              closes={closesOf(position, data)}
              held={market === undefined ? null : heldText(position.openedAt, market.now)}
              isFolded={!isWhole && index >= PHONE_ROWS}
            />
          ))}
        </ul>
      )}
      {folded > 0 && (
        <ShowMore
          isWhole={isWhole}
          onToggle={() => setIsWhole(!isWhole)}
          text={`Show ${folded} more`}
          className="sm:hidden"
        />
      )}
    </Card>
  );
}

const closesOf = ({ accountId, symbol }: Position, drawn: Answer<typeof portfolioApi.positionLines> | undefined) =>
  drawn?.lines.find((line) => line.accountId === accountId && line.symbol === symbol)?.closes ?? [];

interface RowProps {
  position: Position;
  account: string | undefined;
  closes: readonly number[];
  held: string | null;
  isFolded: boolean;
}

/** The row as a whole leads to the position: the link of its symbol covers it. */
function Row({ position, account, closes, held, isFolded }: RowProps) {
  const { averagePrice, currentPrice } = position;
  return (
    <li
      className={`relative -mx-2 grid grid-cols-2 items-start gap-x-4 gap-y-1.5 px-2 py-2.5 hover:bg-sunken md:grid-cols-[1fr_1.3fr_1fr] ${isFolded ? "max-sm:hidden" : ""}`}
    >
      <div className="min-w-0">
        <p className="flex items-center gap-x-2">
          <SymbolLink
            symbol={position.symbol}
            accountId={position.accountId}
            className="font-semibold underline-offset-4 outline-none after:absolute after:inset-0 hover:underline focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
          />
          {held !== null && (
            <span className="text-xs text-muted tabular-nums" title="Held">
              {held}
            </span>
          )}
          {closes.length > 0 && (
            <SparkLine
              values={[averagePrice, ...closes, ...(currentPrice === null ? [] : [currentPrice])]}
              level={averagePrice}
              className="ml-auto h-5 w-14 xl:w-20"
            />
          )}
        </p>
        <p className="mt-0.5 text-muted tabular-nums">
          <span className="amount">{quantityText(position.quantity)}</span>{" "}
          {position.quantity === 1 ? "share" : "shares"} at <Money value={position.averagePrice} />
        </p>
        {account !== undefined && <p className="mt-0.5 text-xs wrap-anywhere text-muted">{account}</p>}
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
  );
}

function Unpriced() {
  return <span className="font-normal text-muted">No price yet</span>;
}
