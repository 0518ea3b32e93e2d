"use client";
import { useRouter } from "next/navigation";
import { shareText } from "@/lib/domain/format.ts";
import { reasonsText, SEAT_ORDERS } from "@/lib/domain/selector-labels.ts";
import { useUrlValues } from "../../../_hooks/use-url-values.ts";
import { Badge } from "../../../_ui/badge.tsx";
import { Bar } from "../../../_ui/bar.tsx";
import { DensityToggle } from "../../../_ui/density-toggle.tsx";
import { Empty } from "../../../_ui/empty.tsx";
import { SelectField } from "../../../_ui/field.tsx";
import { Money } from "../../../_ui/money.tsx";
import { Table, type Column } from "../../../_ui/table.tsx";
import { symbolAddress, SymbolLink } from "../../symbol-link.tsx";
import { useMarket } from "../../use-market.ts";
import type { Top50 } from "./regime-view.tsx";

type Item = Top50["universe"][number];

const SORTS = [
  { value: "composite", label: "Composite Score" },
  { value: "sector", label: "Sector" },
  { value: "type", label: "Fresh/Sticky" },
] as const;
const FILTERS = [
  { value: "all", label: "All" },
  { value: "fresh", label: "Fresh Seats" },
  { value: "sticky", label: "Sticky Seats" },
] as const;

/** The seated stocks with their scores, each row leading to the symbol's page. */
export function Universe({ top50: { universe } }: { top50: Top50 }) {
  const router = useRouter();
  const { wanted } = useMarket();
  const { values, change } = useUrlValues({ sort: "composite", show: "all" });
  const sort = SORTS.find(({ value }) => value === values.sort)?.value ?? "composite";
  const show = FILTERS.find(({ value }) => value === values.show)?.value ?? "all";
  const shown = universe
    .filter(({ freshOrSticky }) => show === "all" || freshOrSticky === show)
    .toSorted(SEAT_ORDERS[sort]);
  return (
    <section aria-label="Stock universe" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <p className="text-sm text-muted">{`${shown.length} of ${universe.length} stocks`}</p>
        <div className="flex items-end gap-3">
          <SelectField
            label="Sort by"
            options={SORTS}
            value={sort}
            onChange={(event) => change({ sort: event.target.value })}
          />
          <SelectField
            label="Show"
            options={FILTERS}
            value={show}
            onChange={(event) => change({ show: event.target.value })}
          />
          <DensityToggle />
        </div>
      </div>
      <div className="overflow-clip rounded-xl border border-line bg-surface">
        {shown.length === 0 ? (
          <Empty title="No stocks found" hint="Try another filter." />
        ) : (
          <Table
            caption="Stock universe"
            columns={COLUMNS}
            rows={shown}
            rowKey={({ symbol }) => symbol}
            card={(item) => <ItemCard item={item} />}
            onOpen={({ symbol }) => router.push(symbolAddress(symbol, wanted))}
          />
        )}
      </div>
    </section>
  );
}

/** A score of 0 to 100 as a percentage; "—" where its source was unavailable. */
function Score({ label, value }: { label: string; value: number | null }) {
  if (value === null) {
    return (
      <span className="text-muted" title="No news source answered">
        —
      </span>
    );
  }
  return <Bar label={label} fraction={value / 100} text={shareText(value / 100)} />;
}

const plain = (value: number | null) => (value === null ? "—" : shareText(value / 100));

const TypeBadge = ({ freshOrSticky }: Item) =>
  freshOrSticky === "fresh" ? <Badge tone="accent">Fresh</Badge> : <Badge>Sticky</Badge>;

const COLUMNS: Column<Item>[] = [
  { key: "symbol", title: "Symbol", cell: ({ symbol }) => <SymbolLink symbol={symbol} /> },
  { key: "sector", title: "Sector", cell: ({ sector }) => sector },
  { key: "price", title: "Price", isNumber: true, cell: ({ lastPrice }) => <Money value={lastPrice} /> },
  {
    key: "composite",
    title: "Composite Score",
    cell: ({ compositeScore }) => <Score label="Composite score" value={compositeScore} />,
  },
  { key: "liquidity", title: "Liquidity", isNumber: true, cell: ({ liquidityScore }) => plain(liquidityScore) },
  {
    key: "sentiment",
    title: "Sentiment",
    isNumber: true,
    cell: ({ sentimentScore }) => (
      <span {...(sentimentScore === null ? { title: "No news source answered" } : {})}>{plain(sentimentScore)}</span>
    ),
  },
  { key: "technical", title: "Technical", isNumber: true, cell: ({ technicalScore }) => plain(technicalScore) },
  { key: "type", title: "Type", cell: (item) => <TypeBadge {...item} /> },
  {
    key: "reasons",
    title: "Reasons",
    cell: ({ reasons }) => <span title={reasons.join("\n")}>{reasonsText(reasons)}</span>,
  },
];

function ItemCard({ item }: { item: Item }) {
  const { symbol, sector, lastPrice, compositeScore, liquidityScore, sentimentScore, technicalScore, reasons } = item;
  return (
    <div className="flex flex-col gap-1.5">
      <p className="flex items-center justify-between gap-3">
        <span className="flex items-center gap-2">
          <SymbolLink symbol={symbol} />
          <TypeBadge {...item} />
        </span>
        <Money value={lastPrice} />
      </p>
      <p className="flex items-center justify-between gap-3">
        <span className="truncate text-muted">{sector}</span>
        <Score label="Composite score" value={compositeScore} />
      </p>
      <p className="text-xs text-muted">
        Liquidity {plain(liquidityScore)}, sentiment {plain(sentimentScore)}, technical {plain(technicalScore)}
      </p>
      <p className="text-xs">{reasonsText(reasons)}</p>
    </div>
  );
}
