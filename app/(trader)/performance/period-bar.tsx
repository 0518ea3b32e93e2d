"use client";
import { addDays, monthsBefore } from "@/lib/domain/time.ts";
import { isBackwards } from "../../_hooks/use-typed-period.ts";
import { TextField } from "../../_ui/field.tsx";
import { Segmented } from "../../_ui/segmented.tsx";

const PRESETS = [
  { value: "1", label: "1 month" },
  { value: "3", label: "3 months" },
  { value: "12", label: "1 year" },
  { value: "all", label: "All" },
] as const;
type Preset = (typeof PRESETS)[number]["value"] | "own";

interface PeriodBarProps {
  from: string;
  to: string;
  /** The market's day: a month back is a month of the market. */
  today: string | null;
  onChange: (values: { from: string; to: string }) => void;
}

/** Which sessions the figures are of: a usual span, or the user's own dates. */
export function PeriodBar({ from, to, today, onChange }: PeriodBarProps) {
  const fromOf = (preset: Preset) =>
    preset === "all" || preset === "own" || today === null ? "" : addDays(monthsBefore(today, Number(preset)), 1);
  const current = to === "" ? PRESETS.find(({ value }) => fromOf(value) === from)?.value : undefined;
  return (
    <section aria-label="Period" className="flex flex-wrap items-end gap-3 print:hidden">
      <Segmented<Preset>
        label="Period"
        options={PRESETS}
        value={from === "" && to === "" ? "all" : (current ?? "own")}
        onChange={(preset) => onChange({ from: fromOf(preset), to: "" })}
      />
      <div className="grid grow grid-cols-2 gap-3 sm:max-w-md">
        <TextField
          label="From"
          type="date"
          error={isBackwards(from, to) ? "The start date must not be after the end date." : undefined}
          value={from}
          {...(to === "" ? {} : { max: to })}
          onChange={(event) => onChange({ from: event.target.value, to })}
        />
        <TextField
          label="To"
          type="date"
          value={to}
          {...(from === "" ? {} : { min: from })}
          onChange={(event) => onChange({ from, to: event.target.value })}
        />
      </div>
    </section>
  );
}
