import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import { jobs } from "@/lib/contracts/jobs.ts";
import type { policyApi } from "@/lib/contracts/policy.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { checkPolicy } from "@/lib/domain/policy.ts";
import { asJson } from "../../core/json.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import type { Prisma, Tx } from "../../db.ts";
import { inTransaction } from "../../core/transaction.ts";
import { contentHash } from "./content-hash.ts";
import { contentOf, lockedVersion, refuseStale, storedVersion, type PolicyRow } from "./stored-policy.ts";
import { whatIfView, type WhatIfRow } from "./what-if-view.ts";

type View = Given<typeof policyApi.readWhatIf>;

const NO_RUN = "What-if not found.";
/** Of one version; older ones go, except those that wait or run. */
const MOST_KEPT = 20;
/** Waiting at one time, of all users together. */
const MOST_WAITING = 10;

/** Queues a what-if of the version as it is now and wakes the worker; one of the same content that waits or runs is answered instead. */
export async function startWhatIf(
  context: Context<"admin">,
  { version, revision, cycles }: Received<typeof policyApi.startWhatIf>,
): Promise<View> {
  const { userId } = context.actor;
  const row = await inTransaction(context, async (tx) => {
    const stored = await lockedVersion(tx, version);
    refuseStale(stored, revision);
    const policy = contentOf(stored);
    const hash = contentHash(policy);
    const open = { status: { in: ["QUEUED", "RUNNING"] } } satisfies Prisma.WhatIfWhereInput;
    const running = await tx.whatIf.findFirst({ where: { contentHash: hash, ...open } });
    if (running) return running;
    if ((await tx.whatIf.count({ where: { status: "QUEUED" } })) >= MOST_WAITING)
      throw new Failure("conflict", `${MOST_WAITING} what-ifs are waiting already. Cancel one, or wait.`);
    await dropOld(tx, version);
    const made = await tx.whatIf.create({
      data: {
        version,
        contentHash: hash,
        policy: asJson(policy),
        cycles,
        requestedById: userId,
        createdAt: context.now(),
      },
    });
    await audit(context, tx, "POLICY_WHAT_IF_STARTED", { version, whatIfId: made.id, cycles });
    return made;
  });
  await context.queue.enqueue(jobs.whatIf, {});
  return whatIfView(row, context.now(), row.contentHash);
}

async function dropOld(tx: Tx, version: string): Promise<void> {
  const old = await tx.whatIf.findMany({
    where: { version, status: { in: ["DONE", "FAILED", "CANCELED"] } },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    skip: MOST_KEPT - 1,
    select: { id: true },
  });
  await tx.whatIf.deleteMany({ where: { id: { in: old.map(({ id }) => id) } } });
}

export async function readWhatIf(context: Context, { id }: Received<typeof policyApi.readWhatIf>): Promise<View> {
  const row = await context.db.whatIf.findUnique({ where: { id } });
  if (!row) throw new Failure("not_found", NO_RUN);
  return viewNow(context, row);
}

/** Stops a run: the row says so at once, and the worker that has it ends at its next heartbeat. */
export async function cancelWhatIf(
  context: Context<"admin">,
  { id }: Received<typeof policyApi.cancelWhatIf>,
): Promise<View> {
  const row = await inTransaction(context, async (tx) => {
    await tx.$queryRaw`select 1 from "WhatIf" where "id" = ${id}::uuid for update`;
    const found = await tx.whatIf.findUnique({ where: { id } });
    if (!found) throw new Failure("not_found", NO_RUN);
    if (found.status === "CANCELED") return found;
    if (found.status !== "QUEUED" && found.status !== "RUNNING")
      throw new Failure("conflict", "This what-if has already ended.");
    const cancelled = await tx.whatIf.update({
      where: { id },
      data: { status: "CANCELED", finishedAt: context.now() },
    });
    await audit(context, tx, "POLICY_WHAT_IF_CANCELLED", { version: found.version, whatIfId: id });
    return cancelled;
  });
  return viewNow(context, row);
}

async function viewNow({ db, now }: Context, row: WhatIfRow): Promise<View> {
  return whatIfView(row, now(), hashNow(await storedVersion(db, row.version)));
}

/** Null for a version whose content breaks the rules of today. */
function hashNow(row: PolicyRow): string | null {
  const checked = checkPolicy(row.content);
  return checked.ok ? contentHash(checked.policy) : null;
}

async function audit(
  context: Context,
  tx: Tx,
  eventType: "POLICY_WHAT_IF_STARTED" | "POLICY_WHAT_IF_CANCELLED",
  data: Prisma.InputJsonObject,
): Promise<void> {
  const { actor, now, request } = context;
  const { id: requestId, ipAddress } = request;
  await recordAudit(tx, { at: now(), eventType, actor, ipAddress, requestId, data });
}
