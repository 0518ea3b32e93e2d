/** Small readings of rows that several services share. */
import { money, type Money } from "@/lib/domain/money.ts";
import type { SessionDate } from "@/lib/domain/time.ts";

export type EnvironmentLabel = "PRACTICE" | "PAPER" | "LIVE";

/** What stands beside every figure: practice results, paper results and live results never mix. */
export function environmentLabel(account: {
  broker: "PRACTICE" | "ALPACA";
  environment: "PAPER" | "LIVE";
}): EnvironmentLabel {
  return account.broker === "PRACTICE" ? "PRACTICE" : account.environment;
}

/** A nullable numeric column as exact money. */
export function moneyOrNull(value: { toString(): string } | null): Money | null {
  return value === null ? null : money(value);
}

/** A `date` column as a New York date, and back. */
export function dateOf(session: SessionDate): Date {
  return new Date(`${session}T00:00:00.000Z`);
}

export function sessionOf(date: Date): SessionDate {
  return date.toISOString().slice(0, 10);
}
