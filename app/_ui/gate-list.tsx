"use client";
import { CircleCheck, CircleX, TriangleAlert } from "lucide-react";
import { type decisionsApi } from "@/lib/contracts/decisions.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { Definition } from "./definition.tsx";
import { Empty } from "./empty.tsx";
import { Fold } from "./fold.tsx";
import { AmountsText } from "./money.tsx";

type Candidate = Answer<typeof decisionsApi.read>["candidates"][number];
type Gate = Candidate["gates"][number];

const VERDICTS = {
  passed: { Icon: CircleCheck, label: "Passed", className: "text-gain" },
  warned: { Icon: TriangleAlert, label: "Warning", className: "text-warn" },
  refused: { Icon: CircleX, label: "Refused", className: "text-loss" },
} as const;

const verdictOf = ({ passed, isWarning }: Gate) => VERDICTS[passed ? "passed" : isWarning ? "warned" : "refused"];

/** Rules that passed within this part of their distance are near to failing; more than a few are not named. */
const NEAR = 0.25;
const NEAREST_MOST = 3;

function nearestOf(gates: readonly Gate[]): Gate[] {
  return gates
    .filter(({ closeness }) => closeness !== null && closeness < NEAR)
    .sort((a, b) => (a.closeness ?? 1) - (b.closeness ?? 1))
    .slice(0, NEAREST_MOST);
}

interface GateListProps {
  gates: readonly Gate[];
  /** What the refusing rules lack, where it is known. */
  missing?: Candidate["missing"];
  /** True where the list itself is folded, under a line that says what this one would. */
  isOpen?: boolean;
}

/** The rules that an order has to pass: what refused or warned stands there, what passed is one line until it is asked for. */
export function GateList({ gates, missing = [], isOpen = false }: GateListProps) {
  if (gates.length === 0)
    return <Empty title="No rule was checked" hint="Without a reason to buy there is no order to check." />;
  const passed = gates.filter((gate) => gate.passed);
  const others = gates.filter((gate) => !gate.passed);
  const list = (
    <ul aria-label="Rules that passed" className="mt-1 gap-10 @4xl:columns-2">
      {passed.map((gate) => (
        <GateLine key={gate.code} gate={gate} />
      ))}
    </ul>
  );
  return (
    <div className="flex flex-col gap-2">
      {others.length > 0 && (
        <ul aria-label="Rules that did not pass">
          {others.map((gate) => (
            <GateLine key={gate.code} gate={gate} missing={missing.find(({ code }) => code === gate.code)?.text} />
          ))}
        </ul>
      )}
      {isOpen ? list : <Fold summary={<PassedText gates={gates} />}>{list}</Fold>}
    </div>
  );
}

/** "26 of 28 passed", with those nearest to failing. */
export function PassedText({ gates }: Pick<GateListProps, "gates">) {
  const passed = gates.filter((gate) => gate.passed);
  const nearest = nearestOf(passed);
  return (
    <span>
      <span className="font-medium text-ink">{`${passed.length} of ${gates.length} passed`}</span>
      {nearest.length > 0 && (
        <span className="text-muted">
          {", nearest to failing: "}
          {nearest.map((gate, index) => (
            <span key={gate.code}>
              {index > 0 && ", "}
              {gate.name} (
              {gate.marginText === null ? "at its limit" : <AmountsText text={`${gate.marginText} left`} />})
            </span>
          ))}
        </span>
      )}
    </span>
  );
}

function GateLine({ gate, missing }: { gate: Gate; missing?: string | undefined }) {
  const { Icon, label, className } = verdictOf(gate);
  return (
    <li className="flex break-inside-avoid items-start gap-3 border-b border-line py-2 last:border-0">
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${className}`} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="font-medium first-letter:uppercase">
            {gate.name} <Definition of={gate.name}>{gate.text}</Definition>
          </span>
          <span className={`text-xs ${className}`}>
            {label}
            {gate.marginText !== null && (
              <span className="tabular-nums" title="Distance to the limit">
                {" by "}
                <AmountsText text={gate.marginText} />
              </span>
            )}
          </span>
        </p>
        <p className="text-sm break-words text-muted first-letter:uppercase">
          <AmountsText text={gate.detail} />
        </p>
        {missing !== undefined && missing !== gate.detail && (
          <p className="text-sm break-words first-letter:uppercase">
            <AmountsText text={missing} />
          </p>
        )}
      </div>
    </li>
  );
}
