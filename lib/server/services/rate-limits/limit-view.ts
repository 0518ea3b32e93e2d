import type { Given } from "@/lib/contracts/endpoint.ts";
import type { rateLimitsApi } from "@/lib/contracts/rate-limits.ts";
import { groupOf, isBound, limitInForce } from "@/lib/domain/rate-limits.ts";
import type { Prisma } from "../../db.ts";

type LimitRow = Prisma.RateLimitGetPayload<object>;

export const limitView = (row: LimitRow): Given<typeof rateLimitsApi.save> => ({
  ...row,
  boundTo: groupOf(row.name),
  inForce: inForceOf(row),
});

function inForceOf(row: LimitRow) {
  if (!isBound(row.name)) return null;
  const { windowMs, maxRequests, skipSuccessfulRequests, skipFailedRequests, enabled } = row;
  const limit = limitInForce(row.name, { windowMs, maxRequests, skipSuccessfulRequests, skipFailedRequests, enabled });
  return limit && { windowMs: limit.windowMs, maxRequests: limit.maxRequests };
}
