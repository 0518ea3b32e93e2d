import { Failure } from "@/lib/domain/failures.ts";
import { checkPolicy, POLICY_2_9_0, type Policy } from "@/lib/domain/policy.ts";
import type { Db, Prisma, Tx } from "../../db.ts";

export type PolicyRow = Prisma.PolicyVersionGetPayload<object>;

const NO_VERSION = "Policy version not found.";

export async function storedVersion(db: Db | Tx, version: string): Promise<PolicyRow> {
  const row = await db.policyVersion.findUnique({ where: { version } });
  if (!row) throw new Failure("not_found", NO_VERSION);
  return row;
}

/** The version's row, locked. */
export async function lockedVersion(tx: Tx, version: string): Promise<PolicyRow> {
  await tx.$queryRaw`select 1 from "PolicyVersion" where "version" = ${version} for update`;
  return storedVersion(tx, version);
}

/** @throws conflict where the stored content breaks the rules of today */
export function contentOf({ version, content }: Pick<PolicyRow, "version" | "content">): Policy {
  const checked = checkPolicy(content);
  if (checked.ok) return checked.policy;
  const [first] = checked.issues;
  throw new Failure(
    "conflict",
    `Policy ${version} cannot be used: ${first ? `${first.path} ${first.message}` : "it is not whole"}.`,
  );
}

/** The version in force, whether its content can be read or not: that must not stand in the way of another one. */
export async function versionInForce(db: Db | Tx): Promise<{ version: string; needsSecond: boolean }> {
  const row = await db.policyVersion.findFirst({ where: { status: "ACTIVE" } });
  if (!row) return { version: POLICY_2_9_0.version, needsSecond: false };
  const { orders_execution: orders } = row.content as { orders_execution?: { two_person_policy?: unknown } };
  return { version: row.version, needsSecond: orders?.two_person_policy === 1 };
}

/** Refuses an edit of what has changed since it was read. */
export function refuseStale(row: PolicyRow, revision: number): void {
  if (row.revision === revision) return;
  throw new Failure(
    "conflict",
    `Draft ${row.version} was edited in the meantime: it is at revision ${row.revision}, your copy is revision ${revision}. Nothing was saved.`,
  );
}

export function requireDraft(row: PolicyRow): void {
  if (row.status === "DRAFT") return;
  throw new Failure(
    "conflict",
    `Version ${row.version} was in force: it is never changed. Make a draft of it instead.`,
  );
}
