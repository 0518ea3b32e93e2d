/** Small readings of rows that several services share. */
import { money, type Money } from "@/lib/domain/money.ts";
import type { SessionDate } from "@/lib/domain/time.ts";

export type { Environment as EnvironmentLabel } from "@/lib/domain/enums.ts";
export { environmentLabel } from "@/lib/domain/environments.ts";

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
