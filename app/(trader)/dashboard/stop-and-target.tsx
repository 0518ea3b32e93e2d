import { signedPercentText } from "@/lib/domain/format.ts";
import { Money } from "../../_ui/money.tsx";
import type { Position } from "./positions-card.tsx";
import { styled } from "../../_ui/styled.ts";

/** The price between its stop and its target, and how far it is from both. */
export function StopAndTarget({ position }: { position: Position }) {
  const { currentPrice, stopPrice, targetPrice, stopDistancePercent, targetDistancePercent } = position;
  const place =
    currentPrice === null || stopPrice === null || targetPrice === null || targetPrice <= stopPrice
      ? null
      : Math.min(1, Math.max(0, (currentPrice - stopPrice) / (targetPrice - stopPrice)));
  return (
    <div className="text-xs tabular-nums">
      {place !== null && (
        <div aria-hidden className="relative mb-1.5 h-1 rounded-full bg-line">
          <span
            className="absolute -top-1 h-3 w-1 -translate-x-1/2 rounded-full bg-accent"
            ref={styled({ left: `${place * 100}%` })}
          />
        </div>
      )}
      <dl className="flex flex-wrap justify-between gap-x-2 md:grid md:grid-cols-3">
        <Line label="Stop" price={stopPrice} distancePercent={stopDistancePercent} />
        <Line label="Price" price={currentPrice} distancePercent={null} absent="—" className="text-center" />
        <Line label="Target" price={targetPrice} distancePercent={targetDistancePercent} className="text-right" />
      </dl>
    </div>
  );
}

interface LineProps {
  label: string;
  price: number | null;
  distancePercent: number | null;
  absent?: string;
  className?: string;
}

function Line({ label, price, distancePercent, absent = "None", className = "" }: LineProps) {
  return (
    <div className={`max-md:flex max-md:gap-x-1 ${className}`}>
      <dt className="text-muted">{label}</dt>
      <dd>{price === null ? absent : <Money value={price} />}</dd>
      {distancePercent !== null && <dd className="text-muted">{signedPercentText(distancePercent)}</dd>}
    </div>
  );
}
