"use client";
import Link from "next/link";
import { sharesText } from "@/lib/domain/format.ts";
import { useUrlValues } from "../../_hooks/use-url-values.ts";
import { Badge } from "../../_ui/badge.tsx";
import { GateList } from "../../_ui/gate-list.tsx";
import { AmountsText, Money } from "../../_ui/money.tsx";
import { SidePanel } from "../../_ui/side-panel.tsx";
import { symbolAddress } from "../../_ui/symbol-link.tsx";
import { type Candidate, OUTCOMES, outcomeOf } from "./labels.ts";

export function OutcomeBadge({ candidate }: { candidate: Candidate }) {
  const { label, tone } = OUTCOMES[outcomeOf(candidate)];
  return <Badge tone={tone}>{label}</Badge>;
}

/** The symbol, which opens all that the decision knows of it. */
export function SymbolButton({ candidate: { symbol, name } }: { candidate: Pick<Candidate, "symbol" | "name"> }) {
  const { open } = useUrlValues({ symbol: "" });
  return (
    <span className="block">
      <button
        type="button"
        onClick={(event) => {
          event.stopPropagation();
          open({ symbol });
        }}
        className="tap rounded-sm font-semibold underline-offset-4 hover:underline"
      >
        {symbol}
      </button>
      {name !== null && (
        <span className="block max-w-44 truncate text-xs text-muted" title={name}>
          {name}
        </span>
      )}
    </span>
  );
}

/** What is missing, rule by rule, in what a person can watch. */
export function MissingList({ missing }: Pick<Candidate, "missing">) {
  return (
    <ul className="flex flex-col gap-0.5 text-sm">
      {missing.map(({ code, text }) => (
        <li key={code} className="first-letter:uppercase">
          <AmountsText text={text} />
        </li>
      ))}
    </ul>
  );
}

/** One stock of the decision, beside the page. */
export function CandidatePanel({ candidates }: { candidates: readonly Candidate[] }) {
  const { values, close } = useUrlValues({ symbol: "" });
  const opened = candidates.find(({ symbol }) => symbol === values.symbol);
  return (
    <SidePanel
      isOpen={opened !== undefined}
      onClose={() => close({ symbol: "" })}
      title={opened === undefined ? "" : `${opened.symbol}${opened.name === null ? "" : `, ${opened.name}`}`}
    >
      {opened !== undefined && <CandidateDetail candidate={opened} />}
    </SidePanel>
  );
}

function CandidateDetail({ candidate }: { candidate: Candidate }) {
  const { sector, tradeId, missing, noSignal, size, gates } = candidate;
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center gap-3">
        <OutcomeBadge candidate={candidate} />
        {sector !== null && <span className="text-muted">{sector}</span>}
        <Link
          href={symbolAddress(candidate.symbol)}
          className="tap rounded-sm font-medium text-accent underline-offset-4 hover:underline"
        >
          All about {candidate.symbol}
        </Link>
        {tradeId !== null && (
          <Link
            href={`/trade-history/${tradeId}`}
            className="tap rounded-sm font-medium text-accent underline-offset-4 hover:underline"
          >
            Open the trade
          </Link>
        )}
      </div>
      {missing.length > 0 && (
        <div className="rounded-lg border border-warn/30 bg-warn-soft px-4 py-3 text-warn">
          <p className="font-medium">Why it was not bought</p>
          <MissingList missing={missing} />
        </div>
      )}
      {noSignal !== null && <p className="first-letter:uppercase">{noSignal}</p>}
      {size !== null && (
        <p>
          Sized at {sharesText(size.quantity)} for <Money value={size.notional} />, limited by {size.boundBy}.
        </p>
      )}
      <GateList gates={gates} missing={missing} />
    </div>
  );
}
