import type { ReactNode } from "react";
import type { Environment } from "@/lib/domain/enums.ts";
import { moneyText, sharesText } from "@/lib/domain/format.ts";
import { PREFERENCES } from "@/lib/domain/preferences.ts";
import { Badge, EnvironmentBadge } from "../_ui/badge.tsx";
import { Card } from "../_ui/card.tsx";
import { DECISION, SETTINGS } from "./product-picture.tsx";

/** A part of the product as a picture: nothing in it can be pressed, and who does not see it is told what it shows. */
function Picture({ shows, children }: { shows: string; children: ReactNode }) {
  return (
    <div role="img" aria-label={shows} className="rounded-2xl border border-line bg-sunken p-3 text-sm">
      <Card>{children}</Card>
    </div>
  );
}

const ACCOUNTS: readonly (readonly [name: string, note: string, environment: Environment])[] = [
  ["Practice market", "built in", "PRACTICE"],
  ["First tries", "Alpaca", "PAPER"],
];

/** The list of accounts. */
export function AccountsPicture() {
  return (
    <Picture shows="The list of accounts: the practice market and an Alpaca paper account, both active.">
      <ul className="divide-y divide-line">
        {ACCOUNTS.map(([name, note, environment]) => (
          <li key={name} className="flex flex-wrap items-center gap-2 py-3 first:pt-0 last:pb-0">
            <span className="mr-auto">
              <span className="block font-medium">{name}</span>
              <span className="block text-xs text-muted">{note}</span>
            </span>
            <EnvironmentBadge environment={environment} />
            <Badge tone="gain">ACTIVE</Badge>
          </li>
        ))}
      </ul>
    </Picture>
  );
}

const STRATEGIES = ["Momentum", "Mean reversion", "Breakout"] as const;
const LIMITS = [
  [PREFERENCES.defaultOrderSize.label, moneyText(SETTINGS.defaultOrderSize)],
  [PREFERENCES.maxPositions.label, String(SETTINGS.maxPositions)],
  [PREFERENCES.profitTarget.label, `${SETTINGS.profitTarget} %`],
  [PREFERENCES.stopLoss.label, `${SETTINGS.stopLoss} %`],
] as const;

/** The settings under which the recorded decision was made. */
export function SettingsPicture() {
  return (
    <Picture shows="The trading settings: momentum is chosen of three strategies, with an order size, a number of positions, a target and a stop.">
      <div className="flex w-fit flex-wrap rounded-lg bg-sunken p-0.5 text-xs font-medium text-muted ring-1 ring-line">
        {STRATEGIES.map((name, nth) => (
          <span
            key={name}
            className={`rounded-md px-1.5 py-1 ${nth === 0 ? "bg-surface text-ink shadow-sm ring-1 ring-line" : ""}`}
          >
            {name}
          </span>
        ))}
      </div>
      <dl className="mt-3 grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5 tabular-nums">
        {LIMITS.map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-muted">{label}</dt>
            <dd className="text-right font-medium">{value}</dd>
          </div>
        ))}
      </dl>
    </Picture>
  );
}

/** What the automation bought in the recorded decision, between its stop and its target. */
export function PositionPicture() {
  const { symbol, quantity, averagePrice, stopPrice, targetPrice } = DECISION;
  return (
    <Picture shows={`The automation is running, and holds ${symbol} between its stop at the broker and its target.`}>
      <p className="flex items-center gap-2 font-semibold">
        <span className="size-2.5 forced-color-adjust-none rounded-full bg-gain" />
        Running
        <span className="ml-auto">
          <EnvironmentBadge environment="PRACTICE" />
        </span>
      </p>
      <p className="mt-3">
        <span className="font-semibold">{symbol}</span>{" "}
        <span className="text-muted tabular-nums">
          {sharesText(quantity)} at {moneyText(averagePrice)}
        </span>
      </p>
      {/* The price paid stands at 29 % of the way from the stop to the target. */}
      <div className="relative mt-3 h-1.5 rounded-full bg-linear-to-r from-loss/40 via-line to-gain/40">
        <span className="absolute -top-1 left-[29%] h-3.5 w-1.5 -translate-x-1/2 rounded-full bg-accent" />
      </div>
      <dl className="mt-2 grid grid-cols-2 text-xs tabular-nums">
        <div>
          <dt className="text-muted">Stop at the broker</dt>
          <dd>{moneyText(stopPrice)}</dd>
        </div>
        <div className="text-right">
          <dt className="text-muted">Target</dt>
          <dd>{moneyText(targetPrice)}</dd>
        </div>
      </dl>
    </Picture>
  );
}
