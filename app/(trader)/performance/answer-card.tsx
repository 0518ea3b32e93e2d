import { countText, dateText, signedMoneyText, signedPercentText } from "@/lib/domain/format.ts";
import { Card } from "../../_ui/card.tsx";
import { comparisonPeriod, toneOf } from "./figure-text.ts";
import { MetricNote } from "./metric-note.tsx";
import type { Performance } from "./performance-screen.tsx";

const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The one big number first: what the money grew by. */
export function AnswerCard({ performance }: { performance: Performance }) {
  const of = (id: string) => performance.figures.find((figure) => figure.id === id);
  const total = of("timeWeightedReturn");
  const pnl = of("periodPnl")?.value;
  const value = total?.value ?? null;
  const { firstSession, lastSession, sessions, comparison } = performance;
  // Without a current price of SPY, both returns are also shown up to the last close that both have.
  const isSameEnd = comparison !== null && comparison.value === value;
  return (
    <Card
      title={
        <span className="flex items-center gap-1.5">
          Time-weighted return
          <MetricNote id="timeWeightedReturn" reason={total?.reason ?? null} />
        </span>
      }
    >
      <p className="flex flex-wrap items-baseline gap-x-4 gap-y-1 tabular-nums">
        <span
          className={`text-4xl font-semibold tracking-tight ${value === null ? "" : toneOf("timeWeightedReturn", value)}`}
        >
          {value === null ? "—" : signedPercentText(100 * value)}
        </span>
        {pnl != null && (
          <span className={`amount text-lg font-medium ${toneOf("periodPnl", pnl)}`}>{signedMoneyText(pnl)}</span>
        )}
        {comparison !== null && isSameEnd && (
          <span className="text-muted">{`SPY ${signedPercentText(100 * comparison.spy)}`}</span>
        )}
      </p>
      {comparison !== null && (
        <p className="mt-2 text-sm text-muted tabular-nums">
          {isSameEnd
            ? `${upperFirst(comparisonPeriod(comparison))}; SPY with dividends reinvested.`
            : `${signedPercentText(100 * comparison.value)} beside SPY ${signedPercentText(100 * comparison.spy)}, ` +
              `${comparisonPeriod(comparison)}; SPY with dividends reinvested.`}
        </p>
      )}
      <p className="mt-2 text-xs text-muted tabular-nums">
        {firstSession === null || lastSession === null
          ? "No session has closed in this period yet."
          : `${countText(sessions)} closed ${sessions === 1 ? "session" : "sessions"}, ${dateText(firstSession)} to ${dateText(lastSession)}; ` +
            `${countText(performance.trips.total)} closed round ${performance.trips.total === 1 ? "trip" : "trips"}; ` +
            `${countText(performance.accounts)} ${performance.accounts === 1 ? "account" : "accounts"}. ` +
            "Deposits and withdrawals do not count as gain or loss."}
      </p>
      {Math.abs(performance.earnedBefore) >= 0.005 && (
        <p className="mt-2 text-xs text-muted tabular-nums">
          These figures begin with the first reading of {performance.accounts === 1 ? "the account" : "each account"}.{" "}
          <span className="amount">{signedMoneyText(performance.earnedBefore)}</span> from before{" "}
          {performance.accounts === 1 ? "it was" : "they were"} added is in the statement below and in the
          dashboard&apos;s Total.
        </p>
      )}
    </Card>
  );
}
