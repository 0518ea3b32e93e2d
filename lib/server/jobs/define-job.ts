import type { z } from "zod";
import type { Job } from "@/lib/contracts/job.ts";
import { MARKETS, type MarketName } from "@/lib/domain/enums.ts";
import type { Context } from "../context.ts";

/** Binds a job to a service, as defineRoute binds an endpoint. */
export interface JobDoor {
  job: Job;
  /** The work that a payload asks for; null when it is not one of this job's. */
  open(data: unknown): Work | null;
}

/** How a payload reached its run. */
export interface Delivery {
  /** 1 for the first. */
  attempt: number;
  /** Trace context of the enqueuing caller (W3C); null where no span was open. */
  traceparent: string | null;
}

export interface Work {
  scope: string;
  /** Set where the work is about one account. */
  accountId: string | null;
  /** Set where the payload names one. */
  market: MarketName | null;
  run(context: Context): Promise<unknown>;
}

export function defineJob<I extends z.ZodType>(
  job: Job<I>,
  service: (context: Context, input: z.output<I>) => Promise<unknown>,
): JobDoor {
  return {
    job,
    open(data) {
      const parsed = job.input.safeParse(data);
      if (!parsed.success) return null;
      const input = parsed.data;
      const { accountId, market } = input as { accountId?: unknown; market?: unknown };
      return {
        scope: job.scope(input),
        accountId: typeof accountId === "string" ? accountId : null,
        market: MARKETS.find((each) => each === market) ?? null,
        run: (context) => service(context, input),
      };
    },
  };
}
