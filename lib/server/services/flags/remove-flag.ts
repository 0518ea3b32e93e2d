import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { flagsApi } from "@/lib/contracts/flags.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { callFacts, recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { inTransaction } from "../../core/transaction.ts";
import { isBuiltIn } from "./flag-view.ts";

/**
 * Deletes a flag. One that the product acts on stays: without its row it would stand as it began, so deleting a
 * flag that was switched off could switch something on.
 */
export async function removeFlag(
  context: Context,
  { id }: Received<typeof flagsApi.remove>,
): Promise<Given<typeof flagsApi.remove>> {
  const { actor, now, request } = context;
  return inTransaction(context, async (tx) => {
    await tx.$queryRaw`select 1 from "FeatureFlag" where "id" = ${id}::uuid for update`;
    const flag = await tx.featureFlag.findUnique({ where: { id } });
    if (flag === null) throw new Failure("not_found", "Feature flag not found.");
    if (isBuiltIn(flag))
      throw new Failure("conflict", `The product acts on ${flag.name}: disable it instead of deleting it.`);
    await tx.featureFlag.delete({ where: { id } });
    await recordAudit(tx, {
      at: now(),
      eventType: "FEATURE_FLAG_DELETED",
      ...callFacts({ actor, request }),
      data: { flagId: id, name: flag.name, environment: flag.environment, enabled: flag.enabled },
    });
    return { id };
  });
}
