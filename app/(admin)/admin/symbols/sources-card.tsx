import { Badge } from "../../../_ui/badge.tsx";
import { Card } from "../../../_ui/card.tsx";
import { Time } from "../../../_ui/time.tsx";
import type { SymbolAnswer } from "./symbol-screen.tsx";

const FIGURES = { CLOSE: "Close", QUOTE: "Price" } as const;

/** What its sources disagreed about, newest first. */
export function SourcesCard({ disagreements }: { disagreements: SymbolAnswer["disagreements"] }) {
  return (
    <Card title="Sources">
      {disagreements.length === 0 ? (
        <p className="text-sm text-muted">Its sources have never disagreed.</p>
      ) : (
        <ul
          className="max-h-96 divide-y divide-line overflow-y-auto"
          tabIndex={0}
          aria-label="Disagreements of sources"
        >
          {disagreements.map(({ figure, text, foundAt, clearedAt }) => (
            <li key={`${figure} ${foundAt}`} className="py-2 text-sm">
              <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
                <Badge tone={clearedAt === null ? "warn" : "neutral"}>{FIGURES[figure]}</Badge>
                <span className="min-w-0 grow basis-48 wrap-anywhere">{text}</span>
              </p>
              <p className="mt-1 text-xs text-muted">
                found <Time at={foundAt} />
                {clearedAt === null ? (
                  ", not ended yet"
                ) : (
                  <>
                    , agreed again <Time at={clearedAt} />
                  </>
                )}
              </p>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
