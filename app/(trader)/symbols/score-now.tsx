import { dateText, shareText } from "@/lib/domain/format.ts";
import { Badge } from "../../_ui/badge.tsx";
import { Bar } from "../../_ui/bar.tsx";
import { Card } from "../../_ui/card.tsx";
import { Stat } from "../../_ui/stat.tsx";
import type { SymbolAnswer } from "./symbol-screen.tsx";

/** Its place in the last selection, with the parts of its score. */
export function ScoreNow({ data: { seat, sessionDate, scores } }: { data: SymbolAnswer }) {
  const session = sessionDate === null ? "" : ` of ${dateText(sessionDate)}`;
  if (seat === null) {
    const composite = scores.at(-1)?.compositeScore ?? null;
    return (
      <Card title="Now" aside={<Badge>Not in the Top-50</Badge>}>
        <p>
          {sessionDate === null
            ? "This market has not been screened yet."
            : `It is not in the Top-50${session}.${composite === null ? "" : ` Its score there is ${shareText(composite / 100)}.`}`}
        </p>
      </Card>
    );
  }
  const parts = [
    ["Score", seat.compositeScore],
    ["Technical", seat.technicalScore],
    ["Liquidity", seat.liquidityScore],
    ["Sentiment", seat.sentimentScore],
  ] as const;
  return (
    <Card
      title={`In the Top-50${session}`}
      aside={seat.freshOrSticky === "fresh" ? <Badge tone="accent">Fresh</Badge> : <Badge>Sticky</Badge>}
    >
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-3 lg:grid-cols-6">
        <Stat label="Rank" note="of 50">
          {seat.rank}
        </Stat>
        <Stat label="Sessions seated">{seat.tenureSessions}</Stat>
        {parts.map(([label, value]) => (
          <Stat key={label} label={label}>
            {value === null ? (
              <span className="text-sm font-normal text-muted">No news source answered</span>
            ) : (
              <Bar label={label} fraction={value / 100} text={shareText(value / 100)} />
            )}
          </Stat>
        ))}
      </dl>
      <ul className="mt-4 list-disc pl-5 text-sm">
        {seat.reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </Card>
  );
}
