import { easternDayText, signedPercentText } from "@/lib/domain/format.ts";
import { MARKET_IS } from "@/lib/domain/insight/market-text.ts";
import { newYorkInstant } from "@/lib/domain/time.ts";
import { Card } from "../../_ui/card.tsx";
import { Money } from "../../_ui/money.tsx";
import type { Week } from "./week-screen.tsx";
import { styled } from "../../_ui/styled.ts";

/** Each session's result as a bar from the middle, with its figure and what the market did. */
export function WeekSessions({ data: { sessions }, besideSessions }: { data: Week; besideSessions: number }) {
  const most = Math.max(...sessions.map(({ pnl }) => Math.abs(pnl ?? 0)), 0.005);
  return (
    <Card title="By session">
      <ul className="flex flex-col divide-y divide-line text-sm">
        {sessions.map(({ session, pnl, value, regime }) => (
          <li
            key={session}
            className="grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-1 py-2 sm:grid-cols-[9rem_1fr_10rem]"
          >
            <span>
              {easternDayText(newYorkInstant(session, 12, 0))}
              <span className="block text-xs text-muted">
                {regime === null ? (pnl === null ? "" : "Market not read") : `The market was ${MARKET_IS[regime]}`}
              </span>
            </span>
            <span className="col-span-2 row-start-2 sm:col-span-1 sm:col-start-2 sm:row-start-1">
              {pnl !== null && <SessionBar share={pnl / most} />}
            </span>
            <span className="text-right tabular-nums">
              {pnl === null ? (
                <span className="text-muted">No result</span>
              ) : (
                <>
                  <Money value={pnl} isChange />
                  {value !== null && <span className="block text-xs text-muted">{signedPercentText(100 * value)}</span>}
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      {Math.abs(besideSessions) >= 0.005 && (
        <p className="mt-2 text-xs text-muted">
          <Money value={besideSessions} isChange /> of the result falls outside these closes: prices after hours, or
          days without a closing value.
        </p>
      )}
    </Card>
  );
}

/** `share` of the largest result of the week, -1 to 1. The figure beside it says the same. */
function SessionBar({ share }: { share: number }) {
  const width = `${Math.round(50 * Math.abs(share))}%`;
  return (
    <span aria-hidden className="relative block h-3 forced-color-adjust-none rounded-sm bg-sunken">
      <span className="absolute inset-y-0 left-1/2 w-px bg-line" />
      <span
        className={`absolute inset-y-0 rounded-sm ${share < 0 ? "right-1/2 bg-loss" : "left-1/2 bg-gain"}`}
        ref={styled({ width })}
      />
    </span>
  );
}
