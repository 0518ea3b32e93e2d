"use client";

interface SegmentedProps<T extends string> {
  label: string;
  options: readonly { value: T; label: string }[];
  value: T;
  onChange: (value: T) => void;
  /** Why a choice cannot be made now; absent where it can. */
  whyNot?: ((value: T) => string | undefined) | undefined;
}

/** A small choice of which exactly one holds. */
export function Segmented<T extends string>({ label, options, value, onChange, whyNot }: SegmentedProps<T>) {
  return (
    <div role="group" aria-label={label} className="inline-flex w-fit rounded-lg bg-sunken p-0.5 ring-1 ring-line">
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          aria-disabled={whyNot?.(option.value) !== undefined || undefined}
          title={whyNot?.(option.value)}
          onClick={() => whyNot?.(option.value) === undefined && onChange(option.value)}
          className="tap min-h-9 rounded-md px-2 text-xs font-medium text-muted hover:text-ink aria-disabled:cursor-default aria-disabled:opacity-60 aria-pressed:bg-surface aria-pressed:text-ink aria-pressed:shadow-sm aria-pressed:ring-1 aria-pressed:ring-line sm:min-h-6 forced-colors:aria-pressed:bg-[Highlight] forced-colors:aria-pressed:text-[HighlightText] forced-colors:aria-pressed:forced-color-adjust-none"
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
