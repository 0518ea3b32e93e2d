import type { z } from "zod";

/**
 * When a job is woken by the schedule. `all` and `daily`: one row, in wall time (`daily` at a time of the clock in UTC).
 * `accounts`: one row for each account with keys, in wall time. `session` and `close`: one row for each market, in market
 * time: every interval inside a session, first so many minutes after its opening, and after each close.
 */
export type Cadence =
  | { of: "all"; everyMs: number }
  | { of: "daily"; hour: number; minute: number }
  | { of: "accounts"; everyMs: number }
  | {
      of: "session";
      /** `checks`: as often as the account that looks most often. */
      everyMs: number | "checks";
      /** Minutes after the opening; `entries`: after those in which the policy opens nothing, and so many more. */
      after: { minutes: number; from: "opening" | "entries" };
    }
  | { of: "close"; afterMs: number };

/** A promise to the queue, as a value. Payloads carry ids only; they are parsed, and the worker re-reads everything from Postgres. */
export interface Job<I extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly input: I;
  /** What one run is about, e.g. the account: of one scope at most one run waits, and one runs. */
  readonly scope: (input: z.output<I>) => string;
  /** The account whose worker takes it, be it a canary; absent where the work is of more than one account. A page is cut out of accounts of one kind of worker. */
  readonly account?: (input: z.output<I>) => string;
  /** Lower runs first: exits before entries before housekeeping. */
  readonly priority: number;
  readonly attempts: number;
  readonly concurrency: number;
  /** Absent where only other work wakes it. */
  readonly cadence?: Cadence;
}

export function job<I extends z.ZodType>(definition: Job<I>): Job<I> {
  return definition;
}
