"use client";
import Link from "next/link";
import { moneyText, quantityText } from "@/lib/domain/format.ts";
import { Badge } from "../../../_ui/badge.tsx";
import { Bar } from "../../../_ui/bar.tsx";
import { Card } from "../../../_ui/card.tsx";
import { AmountsText, Money } from "../../../_ui/money.tsx";
import { Table, type Column } from "../../../_ui/table.tsx";
import { type AccountLegs, costText, KIND, type Leg, OUTCOME, percentText, type PlanDetail } from "./labels.ts";

/** Each account of the plan: its weights before and after, its orders and what became of them. */
export function PlanAccounts({ detail: { accounts, leftOut, plan } }: { detail: PlanDetail }) {
  return (
    <section aria-labelledby="plan-accounts" className="flex flex-col gap-3">
      <h2 id="plan-accounts" className="text-base font-semibold">
        {`Accounts (${accounts.length === plan.accountCount ? plan.accountCount : `${accounts.length} of ${plan.accountCount}`})`}
      </h2>
      {accounts.map((one) => (
        <AccountCard key={one.account.id} one={one} isExecuted={plan.approvalStatus === "EXECUTED"} />
      ))}
      {leftOut.length > 0 && (
        <Card title={`Left out (${leftOut.length})`}>
          <ul className="flex flex-col gap-1 text-sm">
            {leftOut.map(({ accountId, why }) => (
              <li key={accountId}>{`Account ${accountId.slice(-8)}: ${why}`}</li>
            ))}
          </ul>
        </Card>
      )}
    </section>
  );
}

/** Nothing became of the legs of a plan that was not executed. */
function AccountCard({ one, isExecuted }: { one: AccountLegs; isExecuted: boolean }) {
  const { account, legs, weights, skipped } = one;
  const { owner } = account;
  return (
    <Card
      title={`${owner.firstName} ${owner.lastName}, ${account.name}`}
      aside={
        <span className="text-xs text-muted">
          Equity <Money value={one.equity} />, turnover {percentText(100 * one.turnover)}
        </span>
      }
    >
      <div className="flex flex-col gap-5">
        <Weights weights={weights} />
        {legs.length === 0 ? (
          <p className="text-sm text-muted">No orders for this account.</p>
        ) : (
          <div className="-mx-4 overflow-clip sm:-mx-5">
            <Table
              caption={`Orders of ${account.name}`}
              columns={isExecuted ? [...COLUMNS, OUTCOME_COLUMN] : COLUMNS}
              rows={legs}
              rowKey={({ id }) => id}
              card={(leg) => <LegCard leg={leg} isExecuted={isExecuted} />}
            />
          </div>
        )}
        {skipped.length > 0 && (
          <details className="text-sm">
            <summary className="tap cursor-pointer font-medium">{`Not planned (${skipped.length})`}</summary>
            <ul className="mt-2 flex flex-col gap-1 text-muted">
              {skipped.map(({ symbol, why }, place) => (
                <li key={place}>{`${symbol}: ${why}`}</li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </Card>
  );
}

const WEIGHTS_SHOWN = 30;

/** Weights side by side; the longest bar is the largest weight of either side. */
function Weights({ weights }: { weights: AccountLegs["weights"] }) {
  const most = Math.max(...weights.map(({ before, after }) => Math.max(before, after)), 1e-9);
  if (weights.length === 0) return null;
  return (
    <div>
      <p className="mb-2 text-xs text-muted">Weight of equity, before and after</p>
      <dl className="grid gap-x-8 gap-y-1 sm:grid-cols-2">
        {weights.slice(0, WEIGHTS_SHOWN).map(({ symbol, before, after }) => (
          <div key={symbol} className="grid grid-cols-[4rem_1fr_1fr] items-center gap-3">
            <dt className="text-sm font-medium">{symbol}</dt>
            <dd>
              <Bar label="Before" fraction={before / most} text={percentText(100 * before)} />
            </dd>
            <dd>
              <Bar label="After" fraction={after / most} text={percentText(100 * after)} tone="gain" />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

const COLUMNS: Column<Leg>[] = [
  { key: "leg", title: "#", isNumber: true, cell: ({ leg }) => leg + 1 },
  { key: "order", title: "Order", cell: (leg) => <Order leg={leg} /> },
  { key: "kind", title: "Kind", cell: ({ kind }) => KIND[kind] },
  { key: "reason", title: "Why", cell: ({ reason }) => <span className="wrap-anywhere">{reason}</span> },
  {
    key: "price",
    title: "Decided at",
    isNumber: true,
    cell: ({ decisionPrice }) => <Money value={decisionPrice} />,
  },
  { key: "guards", title: "Price guards", isNumber: true, cell: (leg) => <Guards leg={leg} /> },
  { key: "cost", title: "Cost", isNumber: true, cell: ({ costBps }) => costText(costBps) },
];
const OUTCOME_COLUMN: Column<Leg> = { key: "outcome", title: "Outcome", cell: (leg) => <Outcome leg={leg} /> };

const orderText = ({ side, quantity, symbol }: Leg) =>
  `${side === "BUY" ? "Buy" : "Sell"} ${quantityText(quantity)} ${symbol}`;

function Order({ leg }: { leg: Leg }) {
  if (leg.tradeId === null) return <span className="font-medium">{orderText(leg)}</span>;
  return (
    <Link
      href={`/trade-history/${leg.tradeId}`}
      className="tap rounded-sm font-medium text-accent underline-offset-4 hover:underline"
    >
      {orderText(leg)}
    </Link>
  );
}

function Guards({ leg: { priceGuardLow, priceGuardHigh } }: { leg: Leg }) {
  return (
    <span className="whitespace-nowrap">
      <Money value={priceGuardLow} /> to <Money value={priceGuardHigh} />
    </span>
  );
}

function Outcome({ leg: { outcome, outcomeReason } }: { leg: Leg }) {
  const { label, tone } = OUTCOME[outcome];
  return (
    <span className="flex flex-col items-start gap-1">
      <Badge tone={tone}>{label}</Badge>
      {outcomeReason !== null && (
        <span className="max-w-60 text-xs text-muted wrap-anywhere">
          <AmountsText text={outcomeReason} />
        </span>
      )}
    </span>
  );
}

function LegCard({ leg, isExecuted }: { leg: Leg; isExecuted: boolean }) {
  return (
    <div className="flex flex-col gap-1 text-sm">
      <p className="flex items-start justify-between gap-3">
        <Order leg={leg} />
        {isExecuted && <Outcome leg={leg} />}
      </p>
      <p className="text-muted">{`${KIND[leg.kind]}: ${leg.reason}`}</p>
      <p className="text-xs text-muted">
        {`${moneyText(leg.decisionPrice)}, guards ${moneyText(leg.priceGuardLow)} to ${moneyText(leg.priceGuardHigh)}, cost ${costText(leg.costBps).toLowerCase()}`}
      </p>
    </div>
  );
}
