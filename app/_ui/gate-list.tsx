"use client";
import { CircleCheck, CircleX, TriangleAlert } from "lucide-react";
import { type decisionsApi } from "@/lib/contracts/decisions.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { Definition } from "./definition.tsx";
import { Empty } from "./empty.tsx";
import { AmountsText } from "./money.tsx";

type Gate = Answer<typeof decisionsApi.read>["candidates"][number]["gates"][number];

const VERDICTS = {
  passed: { Icon: CircleCheck, word: "Passed", look: "text-gain" },
  warned: { Icon: TriangleAlert, word: "Warning", look: "text-warn" },
  refused: { Icon: CircleX, word: "Refused", look: "text-loss" },
} as const;

const verdictOf = ({ passed, isWarning }: Gate) => VERDICTS[passed ? "passed" : isWarning ? "warned" : "refused"];

/** The rules that an order has to pass, in the order in which they are asked. */
export function GateList({ gates }: { gates: readonly Gate[] }) {
  if (gates.length === 0)
    return <Empty title="No rule was asked" hint="Without a signal there is no order to judge." />;
  return (
    <ol className="gap-10 @4xl:columns-2">
      {gates.map((gate) => {
        const { Icon, word, look } = verdictOf(gate);
        return (
          <li
            key={gate.code}
            className="flex break-inside-avoid items-start gap-3 border-b border-line py-2 last:border-0"
          >
            <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${look}`} />
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-baseline justify-between gap-x-3">
                <span className="font-medium first-letter:uppercase">
                  {gate.name} <Definition of={gate.name}>{gate.text}</Definition>
                </span>
                <span className={`text-xs ${look}`}>
                  {word}
                  {gate.marginText !== null && (
                    <span className="tabular-nums" title="Distance to the line">
                      {" by "}
                      <AmountsText text={gate.marginText} />
                    </span>
                  )}
                </span>
              </p>
              <p className="text-sm break-words text-muted first-letter:uppercase">
                <AmountsText text={gate.detail} />
              </p>
            </div>
          </li>
        );
      })}
    </ol>
  );
}
