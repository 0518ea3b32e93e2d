import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { rateLimitsApi } from "@/lib/contracts/rate-limits.ts";
import type { AuditEventType } from "@/lib/domain/audit-events.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import { inTransaction } from "../../core/transaction.ts";
import { limitView } from "./limit-view.ts";
import { LIMITS_MAX } from "./list-limits.ts";

type Input = Received<typeof rateLimitsApi.save>;
type View = Given<typeof rateLimitsApi.save>;

/** Switches a limit, or stores a full configuration under its name. The web processes act on it within seconds. */
export async function saveLimit(context: Context, input: Input): Promise<View> {
  return inTransaction(context, (tx) =>
    "id" in input ? switchLimit(context, tx, input) : storeLimit(context, tx, input),
  );
}

async function switchLimit(context: Context, tx: Tx, { id, enabled }: Extract<Input, { id: string }>): Promise<View> {
  await tx.$queryRaw`select 1 from "RateLimit" where "id" = ${id}::uuid for update`;
  const before = await tx.rateLimit.findUnique({ where: { id } });
  if (before === null) throw new Failure("not_found", "Rate limit not found.");
  if (before.enabled === enabled) return limitView(before);
  const after = await tx.rateLimit.update({ where: { id }, data: { enabled } });
  await audit(context, tx, "RATE_LIMIT_SWITCHED", { limitId: id, name: after.name, enabled });
  return limitView(after);
}

async function storeLimit(context: Context, tx: Tx, input: Extract<Input, { name: string }>): Promise<View> {
  // Two who store the same new name take turns: one creates it, the other changes it.
  await tx.$queryRaw`select pg_advisory_xact_lock(hashtext(${`rate-limit:${input.name}`}))::text`;
  const before = await tx.rateLimit.findUnique({ where: { name: input.name } });
  if (before === null && (await tx.rateLimit.count()) >= LIMITS_MAX)
    throw new Failure("conflict", `There are ${LIMITS_MAX} configurations already: delete one first.`);
  const { name, ...values } = input;
  const after = await tx.rateLimit.upsert({ where: { name }, create: input, update: values });
  const facts = { limitId: after.id, ...input };
  if (before === null) await audit(context, tx, "RATE_LIMIT_CREATED", facts);
  else await audit(context, tx, "RATE_LIMIT_CHANGED", facts);
  return limitView(after);
}

async function audit(
  { actor, now, request }: Context,
  tx: Tx,
  eventType: AuditEventType,
  data: Record<string, string | number | boolean>,
): Promise<void> {
  await recordAudit(tx, {
    at: now(),
    eventType,
    actor,
    ipAddress: request.ipAddress,
    requestId: request.id,
    data,
  });
}
