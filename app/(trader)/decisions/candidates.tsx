"use client";
import Link from "next/link";
import { type decisionsApi } from "@/lib/contracts/decisions.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { quantityText } from "@/lib/domain/format.ts";
import { useUrlValues } from "../../_hooks/use-url-values.ts";
import { Badge } from "../../_ui/badge.tsx";
import { Bar } from "../../_ui/bar.tsx";
import { DensityToggle } from "../../_ui/density-toggle.tsx";
import { Empty } from "../../_ui/empty.tsx";
import { SelectField } from "../../_ui/field.tsx";
import { GateList } from "../../_ui/gate-list.tsx";
import { AmountsText, Money } from "../../_ui/money.tsx";
import { SidePanel } from "../../_ui/side-panel.tsx";
import { Table, type Column, type Sorting } from "../../_ui/table.tsx";
import { OUTCOMES, type Outcome } from "./labels.ts";

export type Candidate = Answer<typeof decisionsApi.read>["candidates"][number];

function outcomeOf({ failing, hasSignal }: Candidate): Outcome {
  if (!hasSignal) return "quiet";
  return failing.length > 0 ? "refused" : "bought";
}

const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);

const wordOf = (candidate: Candidate, code: string) => candidate.gates.find((gate) => gate.code === code)?.word ?? code;

const NUMBER_OF: Record<string, (candidate: Candidate) => number | null> = {
  rank: ({ rank }) => rank,
  composite: ({ composite }) => composite,
  technical: ({ technical }) => technical,
  liquidity: ({ liquidity }) => liquidity,
  sentiment: ({ sentiment }) => sentiment,
  confidence: ({ confidence }) => confidence,
};

function sorted(candidates: readonly Candidate[], { by, direction }: Sorting): Candidate[] {
  const number = NUMBER_OF[by] ?? (() => null);
  const sign = direction === "desc" ? -1 : 1;
  return [...candidates].sort((a, b) => {
    const [left, right] = [number(a), number(b)];
    // What is not known stands at the end, whichever way.
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return sign * (left - right);
  });
}

/** Every stock that was looked at, and what came of it. */
export function Candidates({ candidates }: { candidates: readonly Candidate[] }) {
  const { values, change, open, close } = useUrlValues({ show: "", gate: "", sort: "rank", order: "asc", symbol: "" });
  const sorting: Sorting = { by: values.sort, direction: values.order === "desc" ? "desc" : "asc" };
  const gates = new Map(candidates.flatMap((each) => each.failing.map((code) => [code, wordOf(each, code)] as const)));
  const shown = candidates.filter(
    (each) =>
      (values.show === "" || outcomeOf(each) === values.show) &&
      (values.gate === "" || each.failing.includes(values.gate)),
  );
  const opened = candidates.find(({ symbol }) => symbol === values.symbol);
  return (
    <section aria-labelledby="candidates" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <h2 id="candidates" className="text-base font-semibold">
          {`Candidates (${shown.length} of ${candidates.length})`}
        </h2>
        <div className="flex items-end gap-3">
          <SelectField
            label="Show"
            options={[
              { value: "", label: "All" },
              ...Object.entries(OUTCOMES).map(([value, { label }]) => ({ value, label })),
            ]}
            value={values.show}
            onChange={(event) => change({ show: event.target.value })}
          />
          <SelectField
            label="Refused by"
            options={[
              { value: "", label: "Any rule" },
              ...[...gates].map(([value, word]) => ({ value, label: capital(word) })),
            ]}
            value={values.gate}
            onChange={(event) => change({ gate: event.target.value })}
          />
          <DensityToggle />
        </div>
      </div>
      <div className="overflow-clip rounded-xl border border-line bg-surface">
        {shown.length === 0 ? (
          <Empty title="No candidates found" hint="Try adjusting your filters to see more results." />
        ) : (
          <Table
            caption="Candidates"
            columns={COLUMNS}
            rows={sorted(shown, sorting)}
            rowKey={({ symbol }) => symbol}
            card={(candidate) => <CandidateCard candidate={candidate} />}
            sorting={sorting}
            onSort={({ by, direction }) => change({ sort: by, order: direction })}
            onOpen={({ symbol }) => open({ symbol })}
          />
        )}
      </div>
      <SidePanel
        isOpen={opened !== undefined}
        onClose={() => close({ symbol: "" })}
        title={opened === undefined ? "" : `${opened.symbol}${opened.name === null ? "" : `, ${opened.name}`}`}
      >
        {opened !== undefined && <CandidateDetail candidate={opened} />}
      </SidePanel>
    </section>
  );
}

function Score({ label, value }: { label: string; value: number | null }) {
  return value === null ? (
    <span className="text-muted" title="The source was away">
      —
    </span>
  ) : (
    <Bar label={label} fraction={value / 100} text={value.toFixed(1)} />
  );
}

const plain = (value: number | null) => (value === null ? "—" : value.toFixed(1));

function OutcomeBadge({ candidate }: { candidate: Candidate }) {
  const { label, tone } = OUTCOMES[outcomeOf(candidate)];
  return <Badge tone={tone}>{label}</Badge>;
}

function Why({ candidate }: { candidate: Candidate }) {
  if (!candidate.hasSignal)
    return <span className="inline-block text-muted first-letter:uppercase">{candidate.noSignal ?? "No signal"}</span>;
  if (candidate.failing.length === 0) {
    return candidate.size === null ? null : (
      <span>
        {quantityText(candidate.size.quantity)} for <Money value={candidate.size.notional} />
      </span>
    );
  }
  return (
    <span className="flex flex-col gap-1">
      <span className="flex flex-wrap gap-1">
        {candidate.failing.map((code, index) => (
          <Badge key={code} tone={index === 0 ? "warn" : "neutral"}>
            <span className="inline-block first-letter:uppercase">{wordOf(candidate, code)}</span>
          </Badge>
        ))}
      </span>
      {candidate.nearestFlip !== null && (
        <span className="inline-block text-xs text-muted first-letter:uppercase">
          <AmountsText text={candidate.nearestFlip} />
        </span>
      )}
    </span>
  );
}

function Name({ candidate }: { candidate: Candidate }) {
  const { open } = useUrlValues({ symbol: "" });
  return (
    <span className="block">
      <button
        type="button"
        onClick={(event) => {
          event.stopPropagation();
          open({ symbol: candidate.symbol });
        }}
        className="tap rounded-sm font-semibold underline-offset-4 hover:underline"
      >
        {candidate.symbol}
      </button>
      {candidate.name !== null && (
        <span className="block max-w-44 truncate text-xs text-muted" title={candidate.name}>
          {candidate.name}
        </span>
      )}
    </span>
  );
}

const COLUMNS: Column<Candidate>[] = [
  { key: "rank", title: "Rank", isNumber: true, sort: "asc", cell: ({ rank }) => rank ?? "—" },
  { key: "symbol", title: "Symbol", cell: (candidate) => <Name candidate={candidate} /> },
  {
    key: "composite",
    title: "Score",
    sort: "desc",
    cell: ({ composite }) => <Score label="Composite score" value={composite} />,
  },
  { key: "technical", title: "Technical", isNumber: true, sort: "desc", cell: (each) => plain(each.technical) },
  { key: "liquidity", title: "Liquidity", isNumber: true, sort: "desc", cell: (each) => plain(each.liquidity) },
  { key: "sentiment", title: "Sentiment", isNumber: true, sort: "desc", cell: (each) => plain(each.sentiment) },
  {
    key: "confidence",
    title: "Confidence",
    isNumber: true,
    sort: "desc",
    cell: ({ confidence }) => (confidence === null ? "—" : confidence.toFixed(2)),
  },
  { key: "outcome", title: "Result", cell: (candidate) => <OutcomeBadge candidate={candidate} /> },
  { key: "why", title: "Why", cell: (candidate) => <Why candidate={candidate} /> },
];

function CandidateCard({ candidate }: { candidate: Candidate }) {
  return (
    <div className="flex flex-col gap-1">
      <p className="flex items-center justify-between gap-3">
        <span className="flex items-center gap-2">
          <Name candidate={candidate} />
        </span>
        <OutcomeBadge candidate={candidate} />
      </p>
      <Why candidate={candidate} />
    </div>
  );
}

function CandidateDetail({ candidate }: { candidate: Candidate }) {
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center gap-3">
        <OutcomeBadge candidate={candidate} />
        {candidate.sector !== null && <span className="text-muted">{candidate.sector}</span>}
        {candidate.tradeId !== null && (
          <Link
            href={`/trade-history/${candidate.tradeId}`}
            className="tap rounded-sm font-medium text-accent underline-offset-4 hover:underline"
          >
            Open the trade
          </Link>
        )}
      </div>
      {candidate.nearestFlip !== null && (
        <p className="rounded-lg border border-warn/30 bg-warn-soft px-4 py-3 text-warn">
          To be bought it <AmountsText text={candidate.nearestFlip} />.
        </p>
      )}
      {candidate.noSignal !== null && <p className="first-letter:uppercase">{candidate.noSignal}</p>}
      {candidate.size !== null && (
        <p>
          Sized at {quantityText(candidate.size.quantity)} shares for <Money value={candidate.size.notional} />, bound
          by {candidate.size.boundBy}.
        </p>
      )}
      <GateList gates={candidate.gates} />
    </div>
  );
}
