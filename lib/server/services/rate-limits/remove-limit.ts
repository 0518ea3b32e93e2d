import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { rateLimitsApi } from "@/lib/contracts/rate-limits.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { callFacts, recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { inTransaction } from "../../core/transaction.ts";
import { confirmLoosening } from "./confirm-loosening.ts";

/** Deletes a configuration. A route group is never left without a limit by it: the built-in values hold then. */
export async function removeLimit(
  context: Context,
  { id }: Received<typeof rateLimitsApi.remove>,
): Promise<Given<typeof rateLimitsApi.remove>> {
  const { actor, now, request } = context;
  return inTransaction(context, async (tx) => {
    await tx.$queryRaw`select 1 from "RateLimit" where "id" = ${id}::uuid for update`;
    const limit = await tx.rateLimit.findUnique({ where: { id } });
    if (limit === null) throw new Failure("not_found", "Rate limit not found.");
    confirmLoosening(context, limit.name, limit, null);
    await tx.rateLimit.delete({ where: { id } });
    await recordAudit(tx, {
      at: now(),
      eventType: "RATE_LIMIT_DELETED",
      ...callFacts({ actor, request }),
      data: { limitId: id, name: limit.name },
    });
    return { id };
  });
}
