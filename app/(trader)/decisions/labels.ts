import type { decisionsApi } from "@/lib/contracts/decisions.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { MARKET_IS } from "@/lib/domain/insight/market-text.ts";

export type Decision = Answer<typeof decisionsApi.read>;
export type Candidate = Decision["candidates"][number];

/** A cycle's line without its time of day, which stands beside it. */
export const withoutClock = (line: string): string => line.replace(/^\d\d:\d\d: /, "");

export const REGIMES = {
  risk_on: { label: "Risk on", text: MARKET_IS.risk_on, tone: "gain" },
  neutral: { label: "Neutral", text: MARKET_IS.neutral, tone: "warn" },
  risk_off: { label: "Risk off", text: MARKET_IS.risk_off, tone: "loss" },
} as const;

/** What came of a candidate, in one word. */
export type Outcome = "bought" | "ordered" | "refused" | "quiet";

export const OUTCOMES: Record<Outcome, { label: string; tone: "gain" | "accent" | "warn" | "neutral" }> = {
  bought: { label: "Bought", tone: "gain" },
  ordered: { label: "Ordered", tone: "accent" },
  refused: { label: "Refused", tone: "warn" },
  quiet: { label: "No reason to buy", tone: "neutral" },
};

export function outcomeOf({ failing, hasSignal, isBought }: Candidate): Outcome {
  if (!hasSignal) return "quiet";
  if (failing.length > 0) return "refused";
  return isBought ? "bought" : "ordered";
}

/** The lists behind the steps of the funnel and the filter of the candidates, by their name in the address. */
const LISTS: Record<string, { label: string; has: (candidate: Candidate) => boolean }> = {
  seated: { label: "All", has: () => true },
  signals: { label: "Would buy", has: ({ hasSignal }) => hasSignal },
  ordered: { label: "Ordered", has: ({ hasSignal, failing }) => hasSignal && failing.length === 0 },
  bought: { label: "Bought", has: ({ isBought }) => isBought },
  refused: { label: "Refused", has: (each) => outcomeOf(each) === "refused" },
  quiet: { label: "No reason to buy", has: (each) => outcomeOf(each) === "quiet" },
};

/** As a choice in a field. */
export const LIST_OPTIONS = Object.entries(LISTS).map(([value, { label }]) => ({ value, label }));

/** The list of this name; an address may carry anything, and then it is the list of all. */
export const isInList = (name: string, candidate: Candidate): boolean =>
  Object.hasOwn(LISTS, name) ? (LISTS[name]?.has(candidate) ?? true) : true;
