import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { flagsApi } from "@/lib/contracts/flags.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { callFacts, recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { requireStepUp } from "../../core/require-step-up.ts";
import { inTransaction } from "../../core/transaction.ts";
import { isUniqueViolation, type Tx } from "../../db.ts";
import type { FlagName } from "./ensure-flags.ts";
import { flagView } from "./flag-view.ts";
import { FLAGS_MAX } from "./list-flags.ts";

type Input = Received<typeof flagsApi.save>;
type View = Given<typeof flagsApi.save>;

/** A flag that protects, and the position in which it no longer does: in force, that one waits for a confirmation. */
const UNPROTECTED = new Map<string, boolean>([
  ["automation_enabled", true],
  ["qa_live_gate", false],
] satisfies [FlagName, boolean][]);

/** Switches a flag or creates one. A switch that stands as asked changes and audits nothing. */
export async function saveFlag(context: Context, input: Input): Promise<View> {
  try {
    return await inTransaction(context, (tx) =>
      "id" in input ? switchFlag(context, tx, input) : createFlag(context, tx, input),
    );
  } catch (error) {
    if (isUniqueViolation(error) && "name" in input)
      throw new Failure("conflict", `A flag named ${input.name} exists in ${input.environment} already.`);
    throw error;
  }
}

async function switchFlag(context: Context, tx: Tx, { id, enabled }: Extract<Input, { id: string }>): Promise<View> {
  const { actor, now, request } = context;
  await tx.$queryRaw`select 1 from "FeatureFlag" where "id" = ${id}::uuid for update`;
  const before = await tx.featureFlag.findUnique({ where: { id } });
  if (before === null) throw new Failure("not_found", "Feature flag not found.");
  if (before.enabled === enabled) return flagView(before);
  if (flagView(before).isInForce && UNPROTECTED.get(before.name) === enabled) requireStepUp(context);
  const after = await tx.featureFlag.update({ where: { id }, data: { enabled } });
  await recordAudit(tx, {
    at: now(),
    eventType: "FEATURE_FLAG_SWITCHED",
    ...callFacts({ actor, request }),
    data: { flagId: id, name: after.name, environment: after.environment, enabled },
  });
  return flagView(after);
}

async function createFlag(
  { actor, now, request }: Context,
  tx: Tx,
  input: Extract<Input, { name: string }>,
): Promise<View> {
  if ((await tx.featureFlag.count()) >= FLAGS_MAX)
    throw new Failure("conflict", `There are ${FLAGS_MAX} flags already: delete one first.`);
  const created = await tx.featureFlag.create({ data: input });
  await recordAudit(tx, {
    at: now(),
    eventType: "FEATURE_FLAG_CREATED",
    ...callFacts({ actor, request }),
    data: { flagId: created.id, name: created.name, environment: created.environment, enabled: created.enabled },
  });
  return flagView(created);
}
