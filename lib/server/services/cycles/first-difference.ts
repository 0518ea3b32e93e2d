import { canonicalJson } from "@/lib/domain/engine/canonical.ts";

export interface FieldDifference {
  /** "plan.orders[0].qty" */
  path: string;
  /** Canonical JSON of the field, or "absent". */
  recorded: string;
  recomputed: string;
}

const shown = (value: unknown) => (value === undefined ? "absent" : canonicalJson(value));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The first field, in canonical order, in which two values of plain JSON differ; null when they are the same byte for byte. */
export function firstDifference(path: string, recorded: unknown, recomputed: unknown): FieldDifference | null {
  if (shown(recorded) === shown(recomputed)) return null;
  if (Array.isArray(recorded) && Array.isArray(recomputed)) {
    for (let i = 0; i < Math.max(recorded.length, recomputed.length); i += 1) {
      const found = firstDifference(`${path}[${i}]`, recorded[i], recomputed[i]);
      if (found) return found;
    }
  }
  if (isObject(recorded) && isObject(recomputed)) {
    for (const key of [...new Set([...Object.keys(recorded), ...Object.keys(recomputed)])].sort()) {
      const found = firstDifference(path === "" ? key : `${path}.${key}`, recorded[key], recomputed[key]);
      if (found) return found;
    }
  }
  return { path, recorded: shown(recorded), recomputed: shown(recomputed) };
}
