"use client";
import { useAmounts } from "../../_hooks/use-amounts.ts";
import { Eye, EyeOff } from "../../_ui/icons.tsx";

/** Covers the amounts of every page in this browser. */
export function AmountsToggle() {
  const { areHidden, toggle } = useAmounts();
  const Icon = areHidden ? EyeOff : Eye;
  return (
    <button
      type="button"
      aria-pressed={areHidden}
      aria-label="Hide amounts"
      title={areHidden ? "Show amounts" : "Hide amounts"}
      onClick={toggle}
      className="flex size-11 items-center justify-center rounded-lg text-muted hover:bg-sunken hover:text-ink sm:size-9"
    >
      <Icon aria-hidden className="size-4" />
    </button>
  );
}
