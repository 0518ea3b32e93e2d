import type { ReactNode } from "react";
import { countText, moneyText, sharesText } from "@/lib/domain/format.ts";
import { Badge, EnvironmentBadge } from "../_ui/badge.tsx";
import { Card } from "../_ui/card.tsx";
import { Check, ChevronDown, Cross } from "../_ui/icons.tsx";

/**
 * One decision of the demo trader as the practice market recorded it: the account cycle of 09:35 ET on 6 February 2020.
 * Prices, counts and reasons are those of the record. No result of any trade stands here.
 */
export const DECISION = {
  symbol: "JPM",
  quantity: 43,
  limitPrice: 138.86,
  averagePrice: 138.17,
  stopPrice: 133.3,
  targetPrice: 149.97,
  gates: 28,
} as const;

/** The demo trader's settings when that decision was made. */
export const SETTINGS = { defaultOrderSize: 6000, maxPositions: 10, profitTarget: 8, stopLoss: 4 } as const;

const PASSED = [
  "Score 86.9, it takes 70",
  `The 7th of ${SETTINGS.maxPositions} places`,
  "Financials $5,970.98, room for $25,163.31",
  "No earnings report is near",
] as const;

const NOT_BOUGHT = [
  { symbol: "SPGI", reason: "Reports earnings this session" },
  { symbol: "INFO", reason: "1 of its three part scores is high enough, it takes 2" },
  { symbol: "MDT", reason: `All ${SETTINGS.maxPositions} places are taken` },
] as const;

const CYCLE = [
  { label: "looked at", count: 502 },
  { label: "in the Top-50", count: 50 },
  { label: "would buy", count: 25 },
  { label: "ordered", count: 6 },
] as const;

/** A picture of the product, made of its own parts. */
export function ProductPicture() {
  return (
    <figure className="min-w-0">
      <div className="rounded-2xl border border-line bg-sunken p-3 text-sm shadow-xl shadow-slate-900/5 sm:p-4">
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 px-1 pb-3">
          <p className="font-medium">
            Decision of <time dateTime="2020-02-06T09:35:38-05:00">Thu 6 Feb 2020 09:35 ET</time>
          </p>
          <EnvironmentBadge environment="PRACTICE" />
        </div>
        <div className="grid gap-3">
          <Card title="Why this trade" aside={<Badge tone="gain">Buy</Badge>}>
            <p className="text-base font-semibold">
              {DECISION.symbol}{" "}
              <span className="font-normal text-muted tabular-nums">
                {sharesText(DECISION.quantity)} at {moneyText(DECISION.averagePrice)}
              </span>
            </p>
            <dl className="mt-3 grid grid-cols-3 gap-x-4 tabular-nums">
              <Price label="Limit" value={DECISION.limitPrice} />
              <Price label="Stop at the broker" value={DECISION.stopPrice} />
              <Price label="Target" value={DECISION.targetPrice} />
            </dl>
            {/* Opens without any code. */}
            <details className="group mt-3 border-t border-line pt-1">
              <summary className="flex min-h-11 cursor-pointer list-none items-center justify-between gap-3 text-muted sm:min-h-9 [&::-webkit-details-marker]:hidden">
                All {DECISION.gates} checks passed before the order went out. See its reasons
                <ChevronDown aria-hidden className="size-5 shrink-0 group-open:rotate-180" />
              </summary>
              <ul className="mt-1 grid gap-x-4 gap-y-1.5 sm:grid-cols-2">
                {PASSED.map((text) => (
                  <Reason key={text} mark={<Check aria-hidden className="mt-0.5 size-4 shrink-0 text-gain" />}>
                    {text}
                  </Reason>
                ))}
              </ul>
            </details>
          </Card>
          <Card title="Why not these">
            <ul className="flex flex-col gap-1.5">
              {NOT_BOUGHT.map(({ symbol, reason }) => (
                <Reason key={symbol} mark={<Cross aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />}>
                  <span className="inline-block w-12 font-semibold">{symbol}</span> {reason}
                </Reason>
              ))}
            </ul>
            <dl className="mt-3 grid grid-cols-4 gap-2 border-t border-line pt-3">
              {CYCLE.map(({ label, count }) => (
                <div key={label} className="flex flex-col-reverse justify-end">
                  <dt className="text-muted">{label}</dt>
                  <dd className="text-base font-semibold tabular-nums">{countText(count)}</dd>
                </div>
              ))}
            </dl>
          </Card>
        </div>
      </div>
      <figcaption className="mt-3 text-center text-sm text-balance text-muted">
        One recorded decision on the practice market, as the product shows it. Not a result, and not a recommendation.
      </figcaption>
    </figure>
  );
}

function Price({ label, value }: { label: string; value: number }) {
  return (
    <div>
      <dt className="text-muted">{label}</dt>
      <dd className="font-medium">{moneyText(value)}</dd>
    </div>
  );
}

function Reason({ mark, children }: { mark: ReactNode; children: ReactNode }) {
  return (
    <li className="flex gap-2">
      {mark}
      <span>{children}</span>
    </li>
  );
}
