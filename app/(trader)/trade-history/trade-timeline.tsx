import { AmountsText } from "../../_ui/money.tsx";
import type { TradeDetail } from "./labels.ts";
import { Card } from "../../_ui/card.tsx";
import { Time } from "../../_ui/time.tsx";

/** What happened, one thing after the other, in market time. */
export function TradeTimeline({ steps }: { steps: TradeDetail["timeline"] }) {
  return (
    <Card title="What happened">
      <ol className="flex flex-col text-sm">
        {steps.map((step, index) => (
          <li key={index} className="relative flex gap-3 pb-2.5 last:pb-0">
            {index < steps.length - 1 && (
              <span aria-hidden className="absolute top-4 bottom-0 left-[5px] w-px bg-line-strong" />
            )}
            <span
              aria-hidden
              className={`mt-1 size-[11px] shrink-0 rounded-full border-2 ${step.isBad ? "border-loss bg-loss" : step.kind === "filled" || step.kind === "closed" ? "border-accent bg-accent" : "border-line-strong bg-surface"}`}
            />
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-baseline justify-between gap-x-3">
                <span className={`font-medium ${step.isBad ? "text-loss" : ""}`}>
                  <AmountsText text={step.title} />
                </span>
                {step.at !== null && (
                  <span className="text-xs text-muted">
                    <Time at={step.at} />
                  </span>
                )}
              </p>
              {step.detail !== null && (
                <p className="break-words text-muted">
                  <AmountsText text={step.detail} />
                </p>
              )}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}
