"use client";
import { Rows3, Rows4 } from "lucide-react";
import { useDensity } from "../_hooks/use-density.ts";

/** Turns the rows of tables from comfortable to dense and back; not on a phone, where rows are cards. */
export function DensityToggle() {
  const { density, choose } = useDensity();
  const isDense = density === "dense";
  const Icon = isDense ? Rows4 : Rows3;
  return (
    <button
      type="button"
      aria-pressed={isDense}
      aria-label="Dense rows"
      title="Dense rows"
      onClick={() => choose(isDense ? "comfortable" : "dense")}
      className="hidden size-10 items-center justify-center rounded-lg border border-line-strong bg-surface text-muted hover:bg-sunken hover:text-ink sm:inline-flex"
    >
      <Icon aria-hidden className="size-4" />
    </button>
  );
}
