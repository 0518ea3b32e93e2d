import type { Given } from "@/lib/contracts/endpoint.ts";
import type { rateLimitsApi } from "@/lib/contracts/rate-limits.ts";
import { groupOf, isBound, limitInForce, type RateLimitName } from "@/lib/domain/rate-limits.ts";
import type { Prisma } from "../../db.ts";

type LimitRow = Prisma.RateLimitGetPayload<object>;

/** Which calls are not counted is what holds: a limit of failed guesses counts no others, whatever is stored. */
export const limitView = (row: LimitRow): Given<typeof rateLimitsApi.save> => ({
  ...row,
  ...(isBound(row.name) ? skippedBy(row.name, row) : {}),
  boundTo: groupOf(row.name),
  inForce: inForceOf(row),
});

function skippedBy(name: RateLimitName, { skipSuccessfulRequests, skipFailedRequests, ...row }: LimitRow) {
  const { windowMs, maxRequests } = row;
  const set = { windowMs, maxRequests, skipSuccessfulRequests, skipFailedRequests, enabled: true };
  const held = limitInForce(name, set) ?? set;
  return { skipSuccessfulRequests: held.skipSuccessfulRequests, skipFailedRequests: held.skipFailedRequests };
}

function inForceOf(row: LimitRow) {
  if (!isBound(row.name)) return null;
  const { windowMs, maxRequests, skipSuccessfulRequests, skipFailedRequests, enabled } = row;
  const limit = limitInForce(row.name, { windowMs, maxRequests, skipSuccessfulRequests, skipFailedRequests, enabled });
  return limit && { windowMs: limit.windowMs, maxRequests: limit.maxRequests };
}
