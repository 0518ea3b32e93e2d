import { dateText, shareText } from "@/lib/domain/format.ts";
import { Card } from "../../../_ui/card.tsx";
import { Percent } from "../../../_ui/percent.tsx";
import { Stat } from "../../../_ui/stat.tsx";
import { DaysUntil, ReportTime, RiskBadge, VolumeBar } from "../../watch-parts.tsx";
import type { SymbolAnswer } from "./symbol-screen.tsx";

/** Its last place on the earnings watchlist, and how its price answered past reports. */
export function EarningsCard({ earnings: { today, watch, reactions } }: Pick<SymbolAnswer, "earnings">) {
  return (
    <Card title="Earnings" aside={watch && <RiskBadge level={watch.riskLevel} />}>
      {watch === null ? (
        <p className="text-sm text-muted">It has not been on the earnings watchlist.</p>
      ) : (
        <>
          <p className="mb-3 text-sm text-muted">
            {`Rank ${watch.rank} on the watchlist of ${dateText(watch.sessionDate)}. ${watch.watchlistReason}.`}
          </p>
          <dl className="grid grid-cols-2 gap-4">
            <Stat label="Report" note={<DaysUntil today={today} date={watch.earningsDate} />}>
              <span className="flex flex-wrap gap-x-2">
                {dateText(watch.earningsDate)} <ReportTime time={watch.earningsTime} />
              </span>
            </Stat>
            <Stat label="Expected move">{shareText(watch.expectedMove)}</Stat>
            <Stat label="Upside" note={watch.upside === null ? "not known" : `from ${watch.upsideSource}`}>
              <Percent value={watch.upside === null ? null : 100 * watch.upside} />
            </Stat>
            <Stat label="Volume ratio">
              <VolumeBar ratio={watch.volumeRatio} />
            </Stat>
          </dl>
        </>
      )}
      <h3 className="mt-5 mb-1 text-xs font-medium text-muted">Reactions to past reports, close to close</h3>
      {reactions.length === 0 ? (
        <p className="text-sm text-muted">None is known.</p>
      ) : (
        <ul className="divide-y divide-line">
          {reactions.map(({ date, time, reaction }) => (
            <li key={date} className="flex items-center justify-between gap-3 py-1.5 text-sm">
              <span className="flex gap-2">
                {dateText(date)} {time !== "UNKNOWN" && <ReportTime time={time} />}
              </span>
              <Percent value={100 * reaction} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
