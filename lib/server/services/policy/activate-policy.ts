import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { policyApi } from "@/lib/contracts/policy.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { Policy } from "@/lib/domain/policy.ts";
import { policyDifferences } from "@/lib/domain/policy-changes.ts";
import { recordEvent } from "../../core/record-event.ts";
import { callFacts, recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import { hasSecondFactor } from "../auth/second-factors.ts";
import { requestSecondApproval } from "../approvals/request-second-approval.ts";
import { mailAlert } from "../../core/mail-alert.ts";
import { inTransaction } from "../../core/transaction.ts";
import { storeFirstPolicy } from "../../core/active-policy.ts";
import { activationFingerprint, contentHash } from "./content-hash.ts";
import {
  contentOf,
  lockedVersion,
  needsSecond,
  refuseStale,
  storedVersion,
  versionInForce,
  type PolicyRow,
} from "./stored-policy.ts";

type Input = Received<typeof policyApi.activate>;
type Outcome = Given<typeof policyApi.activate>;

/** Activations take turns: of two at once the second finds another version in force than its administrator saw. */
const POLICY_LOCK = 720_261_122n;

/**
 * Puts a version in force: a draft whose what-if was run on exactly this content, or a version that was in force before.
 * Each cycle reads the policy anew, so it holds from the next one on. Stored versions are never rewritten.
 */
export async function activatePolicy(context: Context<"admin">, input: Input): Promise<Outcome> {
  const { userId } = context.actor;
  if (input.confirm.trim() !== input.version) {
    const message = `Type ${input.version} to confirm.`;
    throw new Failure("invalid_input", message, { issues: [{ path: "confirm", message }] });
  }
  // Before the first policy is stored there is none to replace.
  await storeFirstPolicy(context);
  return inTransaction(context, async (tx) => {
    await tx.$executeRaw`select pg_advisory_xact_lock(${POLICY_LOCK}::bigint)`;
    const row = await lockedVersion(tx, input.version);
    const inForce = await versionInForce(tx);
    refuseUnseen(row, input, inForce.version);
    const policy = contentOf(row);
    if (policy.orders_execution.require_admin_second_factor === 1) await refuseWithoutFactor(tx, userId);
    const hash = contentHash(policy);
    await refuseUntried(tx, row, hash);
    let firstId: string | null = null;
    if (needsSecond(inForce.twoPersons, policy)) {
      const opinion = await requestSecondApproval(context, tx, {
        kind: "ACTIVATE_POLICY",
        subject: row.version,
        fingerprint: activationFingerprint(hash, inForce.version),
      });
      if (!opinion.isGranted) {
        await notifyOfRequest(context, tx, input);
        return { version: row.version, state: "WAITING", expiresAt: opinion.expiresAt };
      }
      firstId = opinion.firstId;
    }
    await putInForce(context, tx, { row, policy, replaced: inForce.version, userId, firstId, note: input.note });
    return { version: row.version, state: "IN_FORCE", expiresAt: null };
  });
}

function refuseUnseen(row: PolicyRow, { revision, replaces, version }: Input, inForce: string): void {
  if (inForce === version) throw new Failure("conflict", `Policy ${version} is in force already.`);
  if (inForce !== replaces)
    throw new Failure(
      "conflict",
      `Policy ${inForce} came into force in the meantime. Compare with it before you continue.`,
    );
  refuseStale(row, revision);
}

/** Who asks administrators for a second factor has one: the console does not close behind them. */
async function refuseWithoutFactor(tx: Tx, userId: string): Promise<void> {
  if (await hasSecondFactor(tx, userId)) return;
  throw new Failure(
    "conflict",
    "This policy asks administrators for a second factor: set up one of your own under Settings, Security, first.",
  );
}

async function refuseUntried(tx: Tx, row: PolicyRow, hash: string): Promise<void> {
  if (row.status !== "DRAFT") return;
  const tried = await tx.whatIf.count({ where: { contentHash: hash, status: "DONE" } });
  if (tried === 0)
    throw new Failure("conflict", `Run a what-if of draft ${row.version} as it is now before you activate it.`);
}

async function notifyOfRequest(context: Context, tx: Tx, { version, replaces, note }: Input): Promise<void> {
  const at = context.now();
  await mailAlert(tx, "administrators", {
    key: `policy-request:${version}:${at.toISOString()}`,
    subject: `Policy ${version} waits for a second administrator`,
    paragraphs: [
      `An administrator asks to put policy ${version} in force instead of ${replaces}. It takes effect once another administrator confirms it.`,
    ],
  });
  await recordAudit(tx, {
    at,
    eventType: "POLICY_ACTIVATION_REQUESTED",
    ...callFacts(context),
    data: { version, replaces },
    personal: note ? { note } : {},
  });
}

interface Change {
  row: PolicyRow;
  policy: Policy;
  replaced: string;
  userId: string;
  firstId: string | null;
  note: string | undefined;
}

async function putInForce(context: Context, tx: Tx, change: Change): Promise<void> {
  const { row, policy, replaced, userId, firstId, note = "" } = change;
  const { version } = row;
  const at = context.now();
  const before = await readableContent(tx, replaced);
  // At no moment are two versions in force, and others never see none: both changes commit together.
  await tx.policyVersion.updateMany({ where: { status: "ACTIVE" }, data: { status: "RETIRED" } });
  await tx.policyVersion.update({ where: { version }, data: { status: "ACTIVE", activatedAt: at } });
  await tx.pendingApproval.deleteMany({ where: { kind: "ACTIVATE_POLICY", subject: version } });
  await tx.policyActivation.create({
    data: { version, replaced, at, activatedById: userId, requestedById: firstId, note: note || null },
  });
  const isRollBack = row.status === "RETIRED";
  const message = `Policy ${version} is in force instead of ${replaced}${isRollBack ? ", rolled back" : ""}: decisions use it from the next look at the market on.`;
  await recordEvent(context, tx, {
    level: "info",
    message,
    userId: null,
    alerts: [
      { to: "administrators", key: `policy:${version}:${at.toISOString()}`, subject: `Policy ${version} is in force` },
    ],
    at,
    audit: {
      eventType: isRollBack ? "POLICY_ROLLED_BACK" : "POLICY_ACTIVATED",
      data: {
        version,
        replaced,
        contentHash: contentHash(policy),
        requestedBy: firstId,
        // Null where the policy before cannot be read.
        changed:
          before && Object.fromEntries(policyDifferences(before, policy).map(({ path, ...change }) => [path, change])),
      },
      personal: note ? { note } : {},
    },
  });
  context.log.info("policy.activated", { version, previous: replaced });
}

/** Null for a version whose content breaks the rules of today. */
async function readableContent(tx: Tx, version: string): Promise<Policy | null> {
  try {
    return contentOf(await storedVersion(tx, version));
  } catch (error) {
    if (error instanceof Failure && error.code === "conflict") return null;
    throw error;
  }
}
