/** A cycle's line without its time of day, which stands beside it. */
export const withoutClock = (line: string): string => line.replace(/^\d\d:\d\d: /, "");

export const REGIMES = {
  risk_on: { label: "Risk on", tone: "gain" },
  neutral: { label: "Neutral", tone: "warn" },
  risk_off: { label: "Risk off", tone: "loss" },
} as const;

/** What came of a candidate, in one word. */
export type Outcome = "bought" | "refused" | "quiet";

export const OUTCOMES: Record<Outcome, { label: string; tone: "gain" | "warn" | "neutral" }> = {
  bought: { label: "Ordered", tone: "gain" },
  refused: { label: "Refused", tone: "warn" },
  quiet: { label: "No signal", tone: "neutral" },
};
