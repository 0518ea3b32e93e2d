import { easternDayText, quantityText, sharesText, signedPercentText } from "@/lib/domain/format.ts";
import { Card } from "../../_ui/card.tsx";
import { Money } from "../../_ui/money.tsx";
import { Percent } from "../../_ui/percent.tsx";
import { Stat } from "../../_ui/stat.tsx";
import type { PositionAnswer } from "./position-screen.tsx";
import { styled } from "../../_ui/styled.ts";

/** What is held, what it has made, and what is at risk down to its stop. */
export function PositionFacts({ data }: { data: PositionAnswer }) {
  const { position, protectedQuantity, atRisk, pnlAtStop, sessionsHeld } = data;
  const bare = position.quantity - protectedQuantity;
  return (
    <Card title="Position">
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-3">
        <Stat
          label="Held"
          note={
            <>
              at <Money value={position.averagePrice} />
            </>
          }
        >
          <span className="amount">{sharesText(position.quantity)}</span>
        </Stat>
        <Stat label="Worth">{position.marketValue === null ? "—" : <Money value={position.marketValue} />}</Stat>
        <Stat label="Unrealized P&L" note={<Percent value={position.unrealizedPnLPercent} />}>
          {position.unrealizedPnL === null ? "—" : <Money value={position.unrealizedPnL} isChange />}
        </Stat>
        <Stat label="Time held" note={`since ${easternDayText(position.openedAt)}`}>
          {sessionsHeld === 0
            ? "Bought this session"
            : `${sessionsHeld} ${sessionsHeld === 1 ? "session" : "sessions"}`}
        </Stat>
        <Stat label="At risk down to the stop" note={riskNote(atRisk, position.stopPrice)}>
          {atRisk === null ? "—" : <Money value={atRisk} />}
        </Stat>
        <Stat
          label="If it is sold at the stop"
          note={pnlAtStop === null ? undefined : "over the whole holding, before fees"}
        >
          {pnlAtStop === null ? "—" : <Money value={pnlAtStop} isChange />}
        </Stat>
      </dl>
      <Band position={position} />
      {bare > 0 && (
        <p role="status" className="mt-3 text-sm text-warn">
          {`${quantityText(bare)} of ${sharesText(position.quantity)} ${bare === 1 ? "is" : "are"} without a stop at the broker.`}
        </p>
      )}
    </Card>
  );
}

function riskNote(atRisk: number | null, stopPrice: number | null): string {
  if (stopPrice === null) return "there is no stop with a price";
  return atRisk === null ? "the current price is not known" : "from the current price";
}

/** The price between its stop and its target. */
function Band({
  position: { currentPrice, stopPrice, targetPrice, stopDistancePercent, targetDistancePercent },
}: Pick<PositionAnswer, "position">) {
  const place =
    currentPrice === null || stopPrice === null || targetPrice === null || targetPrice <= stopPrice
      ? null
      : Math.min(1, Math.max(0, (currentPrice - stopPrice) / (targetPrice - stopPrice)));
  const end = (label: string, price: number | null, distance: number | null, className: string, absent = "None") => (
    <div className={className}>
      <dt className="text-muted">{label}</dt>
      <dd>{price === null ? absent : <Money value={price} />}</dd>
      {distance !== null && <dd className="text-muted">{signedPercentText(distance)}</dd>}
    </div>
  );
  return (
    <div className="mt-5 text-xs tabular-nums">
      {place !== null && (
        <div aria-hidden className="relative mb-2 h-1.5 rounded-full bg-linear-to-r from-loss/40 via-line to-gain/40">
          <span
            className="absolute -top-1 h-3.5 w-1.5 -translate-x-1/2 rounded-full bg-accent"
            ref={styled({ left: `${place * 100}%` })}
          />
        </div>
      )}
      <dl className="grid grid-cols-3 gap-x-2">
        {end("Stop", stopPrice, stopDistancePercent, "")}
        {end("Price", currentPrice, null, "text-center", "—")}
        {end("Target", targetPrice, targetDistancePercent, "text-right")}
      </dl>
    </div>
  );
}
