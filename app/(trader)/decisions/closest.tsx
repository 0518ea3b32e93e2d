"use client";
import { Card } from "../../_ui/card.tsx";
import { Fold } from "../../_ui/fold.tsx";
import { AmountsText } from "../../_ui/money.tsx";
import { MissingList, SymbolButton } from "./candidate-parts.tsx";
import type { Candidate, Decision } from "./labels.ts";

type WithCandidates = { decision: Pick<Decision, "candidates" | "closest" | "groups" | "signals"> };

/** The stocks that the decision came nearest to buying, each with what it lacked. */
export function ClosestToBuying({ decision: { candidates, closest, signals } }: WithCandidates) {
  const nearest = closest.flatMap((symbol) => candidates.find((each) => each.symbol === symbol) ?? []);
  // What all of them lack is said once.
  const [first, ...others] = nearest;
  const common =
    first === undefined || others.length === 0
      ? []
      : first.missing.filter(({ text }) => others.every(({ missing }) => missing.some((each) => each.text === text)));
  const ownOf = ({ missing }: Candidate) => missing.filter(({ text }) => !common.some((each) => each.text === text));
  return (
    <Card title="Closest to buying">
      {nearest.length === 0 ? (
        <p className="text-muted">
          {signals === 0
            ? "No stock of the Top-50 gave a reason to buy."
            : "Every stock with a reason to buy was ordered or is already yours."}
        </p>
      ) : (
        <>
          {common.length > 0 && (
            <div className="mb-3 border-b border-line pb-3">
              <p className="text-xs text-muted">All of them</p>
              <MissingList missing={common} />
            </div>
          )}
          <ol className="divide-y divide-line">
            {nearest.map((candidate) => (
              <li
                key={candidate.symbol}
                className="grid gap-x-6 gap-y-1 py-3 first:pt-0 last:pb-0 sm:grid-cols-[13rem_1fr]"
              >
                <div className="flex items-start justify-between gap-3 sm:block">
                  <SymbolButton candidate={candidate} />
                  <span className="text-xs text-muted tabular-nums">
                    {candidate.rank !== null && `Number ${candidate.rank} of the Top-50`}
                  </span>
                </div>
                {ownOf(candidate).length > 0 ? (
                  <MissingList missing={ownOf(candidate)} />
                ) : (
                  <p className="text-sm text-muted">Nothing else is missing</p>
                )}
              </li>
            ))}
          </ol>
        </>
      )}
    </Card>
  );
}

/** Why the others were not bought: one line for all that have their first reason in common. */
export function ReasonGroups({ decision: { candidates, groups } }: WithCandidates) {
  if (groups.length === 0) return null;
  const bySymbol = new Map(candidates.map((candidate) => [candidate.symbol, candidate]));
  return (
    <Card title="Why the others were not bought">
      <ul className="divide-y divide-line">
        {groups.map(({ code, text, symbols }) => (
          <li key={code ?? ""} className="py-1.5 first:pt-0 last:pb-0">
            <Fold summary={text}>
              <ul className="mt-2 mb-1 grid gap-x-6 gap-y-2 pl-6 md:grid-cols-2">
                {symbols.flatMap((symbol) => {
                  const candidate = bySymbol.get(symbol);
                  return candidate === undefined
                    ? []
                    : [
                        <li key={symbol} className="grid grid-cols-[5rem_1fr] gap-3 text-sm">
                          <SymbolButton candidate={{ symbol, name: null }} />
                          <Why candidate={candidate} code={code} />
                        </li>,
                      ];
                })}
              </ul>
            </Fold>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Of the group's reason the distance, and how many rules stand in the way beside it. */
function Why({ candidate: { missing, noSignal }, code }: { candidate: Candidate; code: string | null }) {
  if (code === null) return <span className="text-muted first-letter:uppercase">{noSignal}</span>;
  const own = missing.find((each) => each.code === code);
  const others = missing.length - (own === undefined ? 0 : 1);
  return (
    <span className="text-muted">
      <span className="inline-block first-letter:uppercase">
        <AmountsText text={own?.text ?? ""} />
      </span>
      {others > 0 && `, and ${others} more ${others === 1 ? "rule" : "rules"}`}
    </span>
  );
}
