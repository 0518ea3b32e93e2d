import type { Policy } from "@/lib/domain/policy.ts";
import { hashOf } from "../cycles/market-record.ts";

/** Of every field, the version aside: what a what-if tried. */
export function contentHash({ version: _, ...sections }: Policy): string {
  return hashOf(sections);
}

/** What two administrators agree to: this content instead of that version. */
export function activationFingerprint(hash: string, replaces: string): string {
  return `${hash}:${replaces}`;
}
