import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { rateLimitsApi } from "@/lib/contracts/rate-limits.ts";
import type { AuditEventType } from "@/lib/domain/audit-events.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { callFacts, recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { isUniqueViolation, type Tx } from "../../db.ts";
import { inTransaction } from "../../core/transaction.ts";
import { confirmLoosening } from "./confirm-loosening.ts";
import { limitView } from "./limit-view.ts";
import { LIMITS_MAX } from "./list-limits.ts";

type Input = Received<typeof rateLimitsApi.save>;
type Change = Extract<Input, { id: string }>;
type View = Given<typeof rateLimitsApi.save>;

/** Changes the limit that is named by its id, or creates one. The web processes act on it within seconds. */
export async function saveLimit(context: Context, input: Input): Promise<View> {
  try {
    return await inTransaction(context, (tx) =>
      "id" in input ? changeLimit(context, tx, input) : createLimit(context, tx, input),
    );
  } catch (error) {
    if (!isUniqueViolation(error) || "id" in input) throw error;
    const message = `A limit named ${input.name} exists already.`;
    throw new Failure("conflict", message, { issues: [{ path: "name", message }] });
  }
}

/** What stands as asked changes and audits nothing. */
async function changeLimit(context: Context, tx: Tx, { id, ...change }: Change): Promise<View> {
  await tx.$queryRaw`select 1 from "RateLimit" where "id" = ${id}::uuid for update`;
  const before = await tx.rateLimit.findUnique({ where: { id } });
  if (before === null) throw new Failure("not_found", "Rate limit not found.");
  const data = settingsOf(before, change);
  const changed = SETTINGS.filter((name) => data[name] !== before[name]);
  if (changed.length === 0) return limitView(before);
  const { name } = before;
  confirmLoosening(context, name, before, data);
  const after = await tx.rateLimit.update({ where: { id }, data });
  if (changed.length === 1 && changed[0] === "enabled")
    await audit(context, tx, "RATE_LIMIT_SWITCHED", { limitId: id, name, enabled: after.enabled });
  else await audit(context, tx, "RATE_LIMIT_CHANGED", { limitId: id, name, ...settingsOf(after) });
  return limitView(after);
}

const SETTINGS = [
  "description",
  "windowMs",
  "maxRequests",
  "skipSuccessfulRequests",
  "skipFailedRequests",
  "enabled",
] as const;

type Settings = Pick<View, (typeof SETTINGS)[number]>;

const settingsOf = (limit: Settings, change: Omit<Change, "id"> = {}) =>
  Object.fromEntries(SETTINGS.map((name) => [name, change[name] ?? limit[name]])) as unknown as Settings;

async function createLimit(context: Context, tx: Tx, input: Extract<Input, { name: string }>): Promise<View> {
  if ((await tx.rateLimit.count()) >= LIMITS_MAX)
    throw new Failure("conflict", `There are ${LIMITS_MAX} configurations already: delete one first.`);
  confirmLoosening(context, input.name, null, input);
  const created = await tx.rateLimit.create({ data: input });
  await audit(context, tx, "RATE_LIMIT_CREATED", { limitId: created.id, ...input });
  return limitView(created);
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
    ...callFacts({ actor, request }),
    data,
  });
}
