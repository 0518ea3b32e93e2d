import type { z } from "zod";

/** A promise to the queue, as a value. Payloads carry ids only; they are parsed, and the worker re-reads everything from Postgres. */
export interface Job<I extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly input: I;
  /** What one run is about, e.g. the account: of one scope at most one run waits, and one runs. */
  readonly scope: (input: z.output<I>) => string;
  /** Lower runs first: exits before entries before housekeeping. */
  readonly priority: number;
  readonly attempts: number;
  readonly concurrency: number;
}

export function job<I extends z.ZodType>(definition: Job<I>): Job<I> {
  return definition;
}
