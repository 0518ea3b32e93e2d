import { statisticText } from "@/lib/domain/statistics/text.ts";
import { EnvironmentBadge } from "../../_ui/badge.tsx";
import { Card } from "../../_ui/card.tsx";
import { Definition } from "../../_ui/definition.tsx";
import type { Figure } from "./labels.ts";

/** Every figure with its definition; one that is not defined says why. */
export function FigureGrid({ figures }: { figures: readonly Figure[] }) {
  return (
    <Card title="Figures" aside={<EnvironmentBadge environment="BACKTEST" />}>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-3 lg:grid-cols-5">
        {figures.map((figure) => (
          <div key={figure.id} className="min-w-0">
            <dt className="text-xs text-muted">
              {figure.name}{" "}
              <Definition of={figure.name}>
                <p>{figure.definition}.</p>
                <p className="mt-2 text-xs text-muted">
                  Source: {figure.source}. Version {figure.version}.
                </p>
              </Definition>
            </dt>
            <dd className="mt-1 text-base font-semibold tracking-tight tabular-nums">
              <span className={figure.unit === "USD" ? "amount" : ""}>{statisticText(figure)}</span>
            </dd>
            {figure.reason !== null && <dd className="mt-0.5 text-xs text-muted">{figure.reason}</dd>}
          </div>
        ))}
      </dl>
    </Card>
  );
}
