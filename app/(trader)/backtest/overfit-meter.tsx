import type { Result } from "./labels.ts";
import { Bar } from "../../_ui/bar.tsx";
import { Definition } from "../../_ui/definition.tsx";

type Overfit = Result["overfit"];

const toneOf = (deflated: number) => (deflated >= 0.95 ? "gain" : deflated >= 0.5 ? "warn" : "loss");

/** What the best of the tries is worth, in words and as a bar. */
export function OverfitMeter({ overfit, title }: { overfit: Overfit; title: string }) {
  const { deflated, deflatedText, text } = overfit;
  return (
    <div className="flex flex-col gap-1">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="text-sm font-medium">{title}</span>
        {deflated !== null && (
          <Bar
            label={`Deflated Sharpe of ${title}`}
            fraction={deflated}
            text={deflatedText ?? ""}
            tone={toneOf(deflated)}
          />
        )}
      </p>
      <p className="max-w-prose text-sm text-muted">{text}</p>
    </div>
  );
}

export function OverfitDefinition() {
  return (
    <Definition of="the overfit meter">
      <p>
        Anyone who tries often enough finds a strategy that worked in the past by luck. The meter counts every run that
        came to an end with this strategy on this market, deleted ones and those of varied settings too, and lowers what
        the best of them proves.
      </p>
      <p className="mt-2 text-xs text-muted">
        Deflated Sharpe ratio: Bailey &amp; López de Prado, 2014. A probability from 0 to 1; from 0.95 on luck is an
        unlikely explanation.
      </p>
    </Definition>
  );
}
