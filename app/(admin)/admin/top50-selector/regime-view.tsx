import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { selectorsApi } from "@/lib/contracts/selectors.ts";
import { dateText, moneyText } from "@/lib/domain/format.ts";
import { distanceLabel, REGIME_LABELS, vixLabel, type Tone } from "@/lib/domain/selector-labels.ts";
import { Badge } from "../../../_ui/badge.tsx";
import { Card } from "../../../_ui/card.tsx";
import { Empty } from "../../../_ui/empty.tsx";

export type Top50 = Answer<typeof selectorsApi.top50>;

/** The readings that the regime of the session rests on. */
export function RegimeView({ regime }: Pick<Top50, "regime">) {
  if (regime === null) {
    return (
      <div className="rounded-xl border border-line bg-surface">
        <Empty title="No regime has been read yet" hint="It is read at the first screening of each session." />
      </div>
    );
  }
  const label = REGIME_LABELS[regime.regime_label];
  const vix = vixLabel(regime.vix);
  return (
    <div className="flex flex-col gap-4">
      <p className="flex flex-wrap items-center gap-3">
        <Badge tone={label.tone}>{label.label}</Badge>
        <span className="text-sm text-muted">
          Session of {dateText(regime.sessionDate)}, read from the closes before it
        </span>
      </p>
      <div className="grid gap-4 sm:grid-cols-3">
        <Card title="VIX Level">
          <p className="text-2xl font-semibold tabular-nums">{regime.vix === null ? "—" : regime.vix.toFixed(2)}</p>
          <p className={`mt-1 text-sm ${toneInk(vix.tone)}`}>{vix.label}</p>
        </Card>
        <Average days={20} close={regime.spy_close} average={regime.spy_ma_20} />
        <Average days={50} close={regime.spy_close} average={regime.spy_ma_50} />
      </div>
    </div>
  );
}

const INKS = { gain: "text-gain", warn: "text-warn", loss: "text-loss" } as const;
const toneInk = (tone: Tone | null) => (tone === null ? "text-muted" : INKS[tone]);

function Average({ days, close, average }: { days: number; close: number | null; average: number | null }) {
  const distance = distanceLabel(close, average);
  return (
    <Card title={`SPY vs ${days}-Day MA`}>
      <p className={`text-2xl font-semibold tabular-nums ${distance === null ? "" : toneInk(distance.tone)}`}>
        {distance === null ? "—" : distance.text}
      </p>
      <p className="mt-1 text-sm text-muted">
        {distance === null
          ? "Not enough closes of SPY are known"
          : `SPY ${moneyText(close)}, average ${moneyText(average)}`}
      </p>
    </Card>
  );
}
