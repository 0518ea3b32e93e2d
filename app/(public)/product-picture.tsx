import { moneyText, quantityText } from "@/lib/domain/format.ts";
import { Badge, EnvironmentBadge } from "../_ui/badge.tsx";
import { Card } from "../_ui/card.tsx";
import { Money } from "../_ui/money.tsx";
import { Percent } from "../_ui/percent.tsx";

/** Made-up figures for the picture below. They are labelled so, and are nobody's results. */
const POSITIONS = [
  { symbol: "SMPL", quantity: 12, averagePrice: 80, marketValue: 972, pnl: 12, percent: 1.25 },
  { symbol: "DEMO", quantity: 25, averagePrice: 40, marketValue: 985, pnl: -15, percent: -1.5 },
  { symbol: "EXMP", quantity: 8, averagePrice: 120, marketValue: 969.6, pnl: 9.6, percent: 1.0 },
] as const;

const LOG = [
  { time: "10:05", text: "Screened the market, ranked it, kept 50 seats.", tone: "neutral", label: "Cycle" },
  { time: "10:05", text: "DEMO: bought 25 shares. Stop placed at the broker.", tone: "gain", label: "Order" },
  { time: "10:05", text: "A fourth position was refused: the limit is 3.", tone: "warn", label: "Limit" },
] as const;

/** A real picture of the product: its own parts, with sample figures. */
export function ProductPicture() {
  return (
    <figure className="min-w-0">
      <div className="rounded-2xl border border-line bg-sunken p-3 text-sm shadow-xl shadow-slate-900/5 sm:p-4">
        <div className="flex items-center justify-between gap-3 px-1 pb-3">
          <span className="font-medium">Dashboard</span>
          <Badge tone="accent">Sample figures</Badge>
        </div>
        <div className="grid gap-3">
          <Card title="Active Positions" aside={<EnvironmentBadge environment="PRACTICE" />}>
            <ul className="divide-y divide-line">
              {POSITIONS.map((position) => (
                <li key={position.symbol} className="flex items-start justify-between gap-4 py-2 first:pt-0 last:pb-0">
                  <div>
                    <p className="font-semibold">{position.symbol}</p>
                    <p className="text-muted tabular-nums">
                      {quantityText(position.quantity)} shares at {moneyText(position.averagePrice)}
                    </p>
                  </div>
                  <div className="text-right">
                    <p className="font-medium">
                      <Money value={position.marketValue} />
                    </p>
                    <p className="flex flex-wrap justify-end gap-x-2">
                      <Money value={position.pnl} isChange />
                      <Percent value={position.percent} />
                    </p>
                  </div>
                </li>
              ))}
            </ul>
          </Card>
          <Card title="What the automation did">
            <ul className="flex flex-col gap-2">
              {LOG.map((entry) => (
                <li key={entry.label} className="grid grid-cols-[auto_4rem_1fr] items-baseline gap-2">
                  <span className="text-muted tabular-nums">{entry.time}</span>
                  <span>
                    <Badge tone={entry.tone}>{entry.label}</Badge>
                  </span>
                  <span>{entry.text}</span>
                </li>
              ))}
            </ul>
          </Card>
        </div>
      </div>
      <figcaption className="mt-3 text-center text-sm text-muted">
        The product with made-up sample figures. They are not results and not a forecast.
      </figcaption>
    </figure>
  );
}
