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

/** What the version in force asks of two administrators. A field that cannot be read asks for nothing. */
interface TwoPersonRules {
  policy: boolean;
  roles: boolean;
  /** USD, of rotation plans and of LIVE ones; null where the field asks for no second one. */
  rotationUsd: number | null;
  liveRotationUsd: number | null;
}

const lineOf = (value: unknown): number | null => (typeof value === "number" && value > 0 ? value : null);

/** The version in force, whether its content can be read or not: that must not stand in the way of another one. */
export async function versionInForce(db: Db | Tx): Promise<{ version: string; twoPersons: TwoPersonRules }> {
  const row = await db.policyVersion.findFirst({ where: { status: "ACTIVE" } });
  const content = (row?.content ?? {}) as Record<string, Record<string, unknown> | undefined>;
  const {
    two_person_policy: ofPolicy,
    two_person_roles: ofRoles,
    two_person_rotation_usd: line,
  } = content.orders_execution ?? {};
  const liveLine = content.portfolio_limits?.live_second_approver_usd;
  const twoPersons = {
    policy: ofPolicy === 1,
    roles: ofRoles === 1,
    rotationUsd: lineOf(line),
    liveRotationUsd: lineOf(liveLine),
  };
  return { version: row?.version ?? POLICY_2_9_0.version, twoPersons };
}

/**
 * Whether a second administrator has to agree to put this policy in force: where the version in force says so, and where it
 * asks for two persons elsewhere and this one asks for less. Otherwise one administrator alone could lift the rule of two.
 */
export function needsSecond(
  { policy, roles, rotationUsd, liveRotationUsd }: TwoPersonRules,
  { orders_execution: orders, portfolio_limits: limits }: Policy,
): boolean {
  const isRaised = (line: number | null, next: number) => line !== null && (next === 0 || next > line);
  return (
    policy ||
    (roles && orders.two_person_roles !== 1) ||
    isRaised(rotationUsd, orders.two_person_rotation_usd) ||
    isRaised(liveRotationUsd, limits.live_second_approver_usd)
  );
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
