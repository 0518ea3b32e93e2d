type HeatTone = "gain" | "loss" | "accent";

export interface Heat {
  tone: HeatTone;
  /** How much of the tone covers the surface, in percent. */
  strength: number;
}

/** The figures stay readable in ink on the strongest of them, in light and dark. */
const STRONGEST = 38;
/** What is not zero is seen. */
const FAINTEST = 5;

/**
 * How a figure is coloured beside the others: gain above zero and loss below it, equally strong at equal distance; figures
 * that cannot be lost by are of one colour. None for zero and for what is not defined.
 */
export function heatOf(value: number | null, all: readonly (number | null)[], isSigned: boolean): Heat | null {
  const farthest = all.reduce<number>((most, each) => Math.max(most, Math.abs(each ?? 0)), 0);
  if (value === null || value === 0 || farthest === 0) return null;
  const strength = Math.round(FAINTEST + ((STRONGEST - FAINTEST) * Math.abs(value)) / farthest);
  return { tone: isSigned ? (value > 0 ? "gain" : "loss") : "accent", strength };
}

/** As a background on the surface. */
export const heatColour = (heat: Heat | null): string | undefined =>
  heat === null ? undefined : `color-mix(in srgb, var(--${heat.tone}) ${heat.strength}%, var(--surface))`;
