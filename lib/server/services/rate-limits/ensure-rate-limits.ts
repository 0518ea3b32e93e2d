import { RATE_LIMITS } from "@/lib/domain/rate-limits.ts";
import type { Context } from "../../context.ts";

/** The limits that the product acts on stand in the console from the start. What an administrator made of them stays. */
export async function ensureRateLimits({ db }: Pick<Context, "db">): Promise<void> {
  await db.rateLimit.createMany({
    data: Object.entries(RATE_LIMITS).map(
      ([name, { description, windowMs, maxRequests, skipSuccessfulRequests, skipFailedRequests }]) => ({
        name,
        description,
        windowMs,
        maxRequests,
        skipSuccessfulRequests,
        skipFailedRequests,
      }),
    ),
    skipDuplicates: true,
  });
}
