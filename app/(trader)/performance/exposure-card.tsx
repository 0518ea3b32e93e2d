import { shareText } from "@/lib/domain/format.ts";
import { Bar } from "../../_ui/bar.tsx";
import { Card } from "../../_ui/card.tsx";
import { Money } from "../../_ui/money.tsx";
import type { Performance } from "./performance-screen.tsx";

/** What is held now, by sector, each with its share of equity. */
export function ExposureCard({ exposure }: { exposure: Performance["exposure"] }) {
  if (exposure.length === 0) return null;
  return (
    <Card title="Held now by sector">
      <ul className="flex flex-col text-sm">
        {exposure.map(({ sector, value, share }) => (
          <li
            key={sector}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line py-2 last:border-0"
          >
            <span>{sector}</span>
            <span className="flex items-center gap-4 tabular-nums">
              {share !== null && <Bar label="Share of equity" fraction={share} text={shareText(share)} />}
              <Money value={value} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
