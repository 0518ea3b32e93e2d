"use client";
import { quantityText } from "@/lib/domain/format.ts";
import { useUrlValues } from "../../_hooks/use-url-values.ts";
import { Badge } from "../../_ui/badge.tsx";
import { Bar } from "../../_ui/bar.tsx";
import { DensityToggle } from "../../_ui/density-toggle.tsx";
import { Empty } from "../../_ui/empty.tsx";
import { SelectField } from "../../_ui/field.tsx";
import { AmountsText, Money } from "../../_ui/money.tsx";
import { Table, type Column, type Sorting } from "../../_ui/table.tsx";
import { OutcomeBadge, SymbolButton } from "./candidate-parts.tsx";
import { type Candidate, isInList, LIST_OPTIONS } from "./labels.ts";

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

const labelOf = (candidate: Candidate, code: string) =>
  candidate.gates.find((gate) => gate.code === code)?.word ?? code;

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

/** The stocks behind a step of the funnel, and what came of each. */
export function Candidates({ candidates }: { candidates: readonly Candidate[] }) {
  const { values, change, open } = useUrlValues({ show: "", gate: "", sort: "rank", order: "asc", symbol: "" });
  const sorting: Sorting = { by: values.sort, direction: values.order === "desc" ? "desc" : "asc" };
  const gates = new Map(candidates.flatMap((each) => each.failing.map((code) => [code, labelOf(each, code)] as const)));
  const shown = candidates.filter(
    (each) => isInList(values.show, each) && (values.gate === "" || each.failing.includes(values.gate)),
  );
  return (
    <section aria-labelledby="candidates" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <h2 id="candidates" className="text-base font-semibold">
          {`Candidates (${shown.length} of ${candidates.length})`}
        </h2>
        <div className="flex items-end gap-3">
          <SelectField
            label="Show"
            options={LIST_OPTIONS}
            value={values.show}
            onChange={(event) => change({ show: event.target.value })}
          />
          <SelectField
            label="Refused by"
            options={[
              { value: "", label: "Any rule" },
              ...[...gates].map(([value, label]) => ({ value, label: capital(label) })),
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
    </section>
  );
}

function Score({ label, value }: { label: string; value: number | null }) {
  return value === null ? (
    <span className="text-muted" title="The source was unavailable">
      —
    </span>
  ) : (
    <Bar label={label} fraction={value / 100} text={value.toFixed(1)} />
  );
}

const plain = (value: number | null) => (value === null ? "—" : value.toFixed(1));

function Why({ candidate }: { candidate: Candidate }) {
  if (!candidate.hasSignal)
    return (
      <span className="inline-block text-muted first-letter:uppercase">{candidate.noSignal ?? "No reason to buy"}</span>
    );
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
            <span className="inline-block first-letter:uppercase">{labelOf(candidate, code)}</span>
          </Badge>
        ))}
      </span>
      {candidate.missing.slice(0, 1).map(({ text }) => (
        <span key={text} className="inline-block max-w-prose text-xs text-muted first-letter:uppercase">
          <AmountsText text={text} />
        </span>
      ))}
    </span>
  );
}

const COLUMNS: Column<Candidate>[] = [
  { key: "rank", title: "Rank", isNumber: true, sort: "asc", cell: ({ rank }) => rank ?? "—" },
  { key: "symbol", title: "Symbol", cell: (candidate) => <SymbolButton candidate={candidate} /> },
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
          <SymbolButton candidate={candidate} />
        </span>
        <OutcomeBadge candidate={candidate} />
      </p>
      <Why candidate={candidate} />
    </div>
  );
}
