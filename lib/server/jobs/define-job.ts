import type { z } from "zod";
import type { Job } from "@/lib/contracts/job.ts";
import { isRetryable } from "@/lib/domain/failures.ts";
import type { Context } from "../context.ts";

/** The other kind of door: binds a job to a service, as defineRoute binds an endpoint. */
export interface JobDoor {
  job: Job;
  run(context: Context, data: unknown): Promise<void>;
}

export function defineJob<I extends z.ZodType>(
  job: Job<I>,
  service: (context: Context, input: z.output<I>) => Promise<unknown>,
): JobDoor {
  return {
    job,
    async run(context, data) {
      const input = job.input.safeParse(data);
      if (!input.success) {
        // The queue is untrusted input: a payload that does not parse is never tried again.
        context.log.error({ job: job.name, issues: input.error.issues }, "job payload refused");
        return;
      }
      const startedAt = performance.now();
      try {
        await service(context, input.data);
        context.log.debug({ job: job.name, durationMs: Math.round(performance.now() - startedAt) }, "job done");
      } catch (error) {
        context.log.error({ job: job.name, err: error, isRetryable: isRetryable(error) }, "job failed");
        throw error;
      }
    },
  };
}
