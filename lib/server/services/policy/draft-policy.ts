import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { policyApi } from "@/lib/contracts/policy.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { nextPolicyVersion, policyDifferences, withPolicyFields } from "@/lib/domain/policy-changes.ts";
import { asJson } from "../../core/json.ts";
import { callFacts, recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { storeFirstPolicy } from "../../core/active-policy.ts";
import { inTransaction } from "../../core/transaction.ts";
import { isUniqueViolation, type Prisma, type Tx } from "../../db.ts";
import { versionNames } from "./list-versions.ts";
import { contentOf, lockedVersion, refuseStale, requireDraft, storedVersion } from "./stored-policy.ts";
import { versionView } from "./version-view.ts";

type VersionView = Given<typeof policyApi.version>;

/** Drafts that wait at one time: they are current work, not an archive. */
const MOST_DRAFTS = 50;

/** A draft with the fields of an existing version. */
export async function createDraft(
  context: Context<"admin">,
  { from, version: wanted, note }: Received<typeof policyApi.createDraft>,
): Promise<VersionView> {
  const { userId } = context.actor;
  await storeFirstPolicy(context);
  const source = await storedVersion(context.db, from);
  const content = contentOf(source);
  let version = "";
  try {
    await inTransaction(context, async (tx) => {
      const drafts = await tx.policyVersion.count({ where: { status: "DRAFT" } });
      if (drafts >= MOST_DRAFTS)
        throw new Failure("conflict", `There are ${drafts} drafts, which is the maximum. Delete one first.`);
      version = wanted ?? (await nextVersion(tx));
      await tx.policyVersion.create({
        data: {
          version,
          content: asJson({ ...content, version }),
          note: note || null,
          basedOn: from,
          createdById: userId,
          createdAt: context.now(),
        },
      });
      await audit(context, tx, "POLICY_DRAFT_CREATED", { version, basedOn: from }, note);
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const message = `There is a version ${version} already. Choose another one.`;
    throw new Failure("conflict", message, { issues: [{ path: "version", message }] });
  }
  return versionView(context, version);
}

async function nextVersion(tx: Tx): Promise<string> {
  const next = nextPolicyVersion(await versionNames(tx));
  if (next !== null) return next;
  const message = "No version comes after the highest one. Name the version of this draft.";
  throw new Failure("conflict", message, { issues: [{ path: "version", message }] });
}

/** Sets fields of a draft. Of two edits of one revision the second is refused, and nothing of it is saved. */
export async function editDraft(
  context: Context<"admin">,
  { version, revision, fields, note }: Received<typeof policyApi.editDraft>,
): Promise<VersionView> {
  const { userId } = context.actor;
  await inTransaction(context, async (tx) => {
    const row = await lockedVersion(tx, version);
    requireDraft(row);
    refuseStale(row, revision);
    const before = contentOf(row);
    const next = withPolicyFields(before, fields);
    if (!next.ok)
      throw new Failure("invalid_input", "Some fields are not within their bounds.", {
        issues: next.issues.map(({ path, message }) => ({ path: `fields.${path}`, message })),
      });
    const changes = policyDifferences(before, next.policy);
    const isSameNote = note === undefined || (note || null) === row.note;
    if (changes.length === 0 && isSameNote) return;
    await tx.policyVersion.update({
      where: { version },
      data: {
        content: asJson(next.policy),
        revision: { increment: 1 },
        updatedById: userId,
        updatedAt: context.now(),
        ...(note === undefined ? {} : { note: note || null }),
      },
    });
    const changed = Object.fromEntries(changes.map(({ path, from, to }) => [path, { from, to }]));
    await audit(context, tx, "POLICY_DRAFT_EDITED", { version, revision: revision + 1, changed }, note);
  });
  return versionView(context, version);
}

/** Deletes a draft with its what-ifs; a version that was in force stays. */
export async function deleteDraft(
  context: Context<"admin">,
  { version, revision }: Received<typeof policyApi.deleteDraft>,
): Promise<Given<typeof policyApi.deleteDraft>> {
  await inTransaction(context, async (tx) => {
    const row = await lockedVersion(tx, version);
    requireDraft(row);
    refuseStale(row, revision);
    await tx.pendingApproval.deleteMany({ where: { kind: "ACTIVATE_POLICY", subject: version } });
    await tx.policyVersion.delete({ where: { version } });
    await audit(context, tx, "POLICY_DRAFT_DELETED", { version });
  });
  return { version };
}

async function audit(
  context: Context,
  tx: Tx,
  eventType: "POLICY_DRAFT_CREATED" | "POLICY_DRAFT_EDITED" | "POLICY_DRAFT_DELETED",
  data: Prisma.InputJsonObject,
  note?: string,
): Promise<void> {
  const { actor, now, request } = context;
  await recordAudit(tx, {
    at: now(),
    eventType,
    ...callFacts({ actor, request }),
    data,
    personal: note ? { note } : {},
  });
}
