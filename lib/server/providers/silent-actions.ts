import type { MarketName } from "@/lib/domain/enums.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { addDays, type SessionDate } from "@/lib/domain/time.ts";
import type { CorporateActionRow } from "./market-data.ts";

/** In so many days some stock of the whole US market pays a dividend: an answer without one is a part. */
const LONGEST_SILENCE_DAYS = 30;

/** Splits and dividends of a stretch as they were answered; throws where the answer is no whole one. The practice market may be a small one. */
export function requireDividends(
  actions: CorporateActionRow[],
  { market, from, to }: { market: MarketName; from: SessionDate; to: SessionDate },
): CorporateActionRow[] {
  const isSilent = !actions.some(({ kind }) => kind === "dividend");
  if (market === "US" && isSilent && from <= addDays(to, -LONGEST_SILENCE_DAYS))
    throw new Failure("unavailable", `The source of splits and dividends named no dividend from ${from} to ${to}.`);
  return actions;
}
