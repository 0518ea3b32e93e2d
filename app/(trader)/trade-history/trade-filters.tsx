import { newYork } from "@/lib/domain/time.ts";
import { useMarketReading } from "../../_hooks/use-market-clock.ts";
import { isBackwards } from "../../_hooks/use-typed-period.ts";
import { oneOf, useUrlValues } from "../../_hooks/use-url-values.ts";
import { Button } from "../../_ui/button.tsx";
import { SelectField, TextField } from "../../_ui/field.tsx";
import { Segmented } from "../../_ui/segmented.tsx";
import type { Sorting } from "../../_ui/table.tsx";
import { RANGES, rangeOf, startOf } from "./ranges.ts";

/** As they stand in the address; "" is no filter. */
const NO_FILTERS = { symbol: "", side: "", status: "", startDate: "", endDate: "" };
export type Filters = typeof NO_FILTERS;

interface TradeFiltersProps {
  filters: Filters;
  hasFilter: boolean;
  onChange: (change: Partial<Filters>) => void;
  onClear: () => void;
}

const SIDES = [
  { value: "", label: "All" },
  { value: "BUY", label: "Buy" },
  { value: "SELL", label: "Sell" },
] as const;

const STATUSES = [
  { value: "", label: "All" },
  { value: "FILLED", label: "Filled" },
  { value: "PENDING", label: "Pending" },
  { value: "CANCELLED", label: "Cancelled" },
  { value: "REJECTED", label: "Rejected" },
] as const;

export const useTradeFilters = () => useUrlValues(NO_FILTERS, { side: oneOf(SIDES), status: oneOf(STATUSES) });

export function TradeFilters({ filters, hasFilter, onChange, onClear }: TradeFiltersProps) {
  return (
    <section aria-label="Filters" className="grid grid-cols-2 items-start gap-3 sm:grid-cols-3 lg:grid-cols-6">
      <TextField
        label="Symbol"
        placeholder="e.g. AAPL"
        data-search
        value={filters.symbol}
        maxLength={10}
        autoCapitalize="characters"
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => {
          const caret = target.selectionStart;
          // Written here with its caret: a value that differs from what was typed would send it to the end.
          target.value = target.value.toUpperCase();
          target.setSelectionRange(caret, caret);
          onChange({ symbol: target.value });
        }}
      />
      <SelectField
        label="Side"
        options={SIDES}
        value={filters.side}
        onChange={(event) => onChange({ side: event.target.value })}
      />
      <SelectField
        label="Status"
        options={STATUSES}
        value={filters.status}
        onChange={(event) => onChange({ status: event.target.value })}
      />
      <TextField
        label="Start Date"
        type="date"
        error={
          isBackwards(filters.startDate, filters.endDate) ? "The start date must not be after the end date." : undefined
        }
        value={filters.startDate}
        onChange={(event) => onChange({ startDate: event.target.value })}
      />
      <TextField
        label="End Date"
        type="date"
        value={filters.endDate}
        onChange={(event) => onChange({ endDate: event.target.value })}
      />
      {/* Beside the fields, below the line of their labels. */}
      <div className="grid pt-6.5">
        <Button tone="secondary" onClick={onClear} disabled={!hasFilter}>
          Clear Filters
        </Button>
      </div>
    </section>
  );
}

const wholeOf = ({ startDate, endDate }: Filters) => (startDate === "" && endDate === "" ? "all" : "");

/** Today, this week, this month or all, by the market's own day. */
export function QuickRanges({ filters, onChange }: Pick<TradeFiltersProps, "filters" | "onChange">) {
  const market = useMarketReading();
  // Before the day is known its choices stand there all the same: what follows does not move, and "All" needs no day.
  const today = market === undefined ? null : newYork(market.now).date;
  return (
    <Segmented
      label="Period"
      options={RANGES}
      // Other dates are none of them: then none is pressed.
      value={(today === null ? wholeOf(filters) : rangeOf(filters, today)) as (typeof RANGES)[number]["value"]}
      whyNot={(range) => (today === null && range !== "all" ? "The market's day is not known yet." : undefined)}
      onChange={(range) => onChange({ startDate: startOf(range, today ?? ""), endDate: "" })}
    />
  );
}

const ORDERS = [
  { value: "date-desc", label: "Newest first" },
  { value: "date-asc", label: "Oldest first" },
  { value: "symbol-asc", label: "Symbol, A to Z" },
  { value: "symbol-desc", label: "Symbol, Z to A" },
  { value: "total-desc", label: "Total value, largest first" },
  { value: "total-asc", label: "Total value, smallest first" },
  { value: "price-desc", label: "Price, highest first" },
  { value: "price-asc", label: "Price, lowest first" },
  { value: "quantity-desc", label: "Quantity, largest first" },
  { value: "quantity-asc", label: "Quantity, smallest first" },
] as const;

/** On a phone rows are cards, without the heads of columns that sort a table. */
export function PhoneSort({ sorting, onSort }: { sorting: Sorting; onSort: (sorting: Sorting) => void }) {
  return (
    <div className="sm:hidden">
      <SelectField
        label="Sort by"
        options={ORDERS}
        value={`${sorting.by}-${sorting.direction}`}
        onChange={({ target }) => {
          const [by = "date", direction] = target.value.split("-");
          onSort({ by, direction: direction === "asc" ? "asc" : "desc" });
        }}
      />
    </div>
  );
}
