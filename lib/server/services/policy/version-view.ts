import type { Given } from "@/lib/contracts/endpoint.ts";
import type { policyApi } from "@/lib/contracts/policy.ts";
import type { Policy } from "@/lib/domain/policy.ts";
import { policyDifferences } from "@/lib/domain/policy-changes.ts";
import type { Context } from "../../context.ts";
import type { Db, Prisma } from "../../db.ts";
import { activationFingerprint, contentHash } from "./content-hash.ts";
import { contentOf, needsSecond, storedVersion, versionInForce, type PolicyRow } from "./stored-policy.ts";
import { whatIfView, type WhatIfRow } from "./what-if-view.ts";

type RowView = Given<typeof policyApi.versions>["versions"][number];
type VersionView = Given<typeof policyApi.version>;
type Person = RowView["createdBy"];

const MOST_ACTIVATIONS = 10;

/** Rows of the list, with the names of who did what. */
export async function rowViews(db: Db, rows: PolicyRow[]): Promise<RowView[]> {
  const versions = rows.map(({ version }) => version);
  const activations = await db.policyActivation.findMany({
    where: { version: { in: versions } },
    orderBy: [{ at: "desc" }, { id: "desc" }],
    // Of a page of versions: roll backs are rare.
    take: MOST_ACTIVATIONS * Math.max(1, versions.length),
  });
  const personOf = await peopleOf(db, [
    ...rows.flatMap((row) => [row.createdById, row.updatedById]),
    ...activations.flatMap((row) => [row.activatedById, row.requestedById]),
  ]);
  return rows.map((row) => ({
    version: row.version,
    status: row.status,
    basedOn: row.basedOn,
    note: row.note,
    revision: row.revision,
    createdAt: row.createdAt,
    createdBy: personOf(row.createdById),
    updatedAt: row.updatedAt,
    updatedBy: personOf(row.updatedById),
    activatedAt: row.activatedAt,
    activations: activations
      .filter(({ version }) => version === row.version)
      .slice(0, MOST_ACTIVATIONS)
      .map(({ at, activatedById, requestedById, replaced, note }) => ({
        at,
        by: personOf(activatedById),
        requestedBy: personOf(requestedById),
        replaced,
        note,
      })),
  }));
}

async function peopleOf(db: Db, ids: (string | null)[]): Promise<(id: string | null) => Person> {
  const people = await db.user.findMany({
    where: { id: { in: [...new Set(ids.filter((id) => id !== null))] } },
    select: { id: true, firstName: true, lastName: true, email: true },
  });
  const byId = new Map(people.map((person) => [person.id, person]));
  return (id) => {
    const person = byId.get(id ?? "");
    return person ? { id: person.id, name: `${person.firstName} ${person.lastName}`, email: person.email } : null;
  };
}

/** One version with what it changes and how far its activation is. */
export async function versionView(context: Context<"admin">, version: string): Promise<VersionView> {
  const { actor, db, now } = context;
  const row = await storedVersion(db, version);
  const policy = contentOf(row);
  const hash = contentHash(policy);
  const inForce = await versionInForce(db);
  const [[view], latest, tried, request, current] = await Promise.all([
    rowViews(db, [row]),
    latestWhatIf(db, version, hash),
    db.whatIf.count({ where: { contentHash: hash, status: "DONE" } }),
    db.pendingApproval.findUnique({ where: { kind_subject: { kind: "ACTIVATE_POLICY", subject: version } } }),
    db.policyVersion.findUnique({ where: { version: inForce.version } }),
  ]);
  if (!view) throw new Error("a row has its view");
  const stands =
    request !== null &&
    request.fingerprint === activationFingerprint(hash, inForce.version) &&
    request.expiresAt > now();
  const personOf = await peopleOf(db, [stands ? request.requestedById : null]);
  const { version: _, ...sections } = policy;
  return {
    ...view,
    policy: sections,
    changes: current ? policyDifferences(readable(current, policy), policy) : [],
    inForce: inForce.version,
    whatIf: latest && whatIfView(latest, now(), hash),
    isTried: row.status !== "DRAFT" || tried > 0,
    needsSecond: needsSecond(inForce.twoPersons, policy),
    pending: stands
      ? {
          by: personOf(request.requestedById),
          at: request.requestedAt,
          expiresAt: request.expiresAt,
          isOwn: request.requestedById === actor.userId,
        }
      : null,
  };
}

/**
 * The latest what-if of this content, whichever version it was run for: such a one counts as this version's try, and one
 * that waits or runs is what a further wish is answered with. Else the latest of this version, of what it was before.
 */
async function latestWhatIf(db: Db, version: string, hash: string): Promise<WhatIfRow | null> {
  const orderBy = [{ createdAt: "desc" }, { id: "desc" }] satisfies Prisma.WhatIfOrderByWithRelationInput[];
  return (
    (await db.whatIf.findFirst({ where: { contentHash: hash }, orderBy })) ??
    (await db.whatIf.findFirst({ where: { version }, orderBy }))
  );
}

/** The policy in force to compare with; the version itself where that one cannot be read. */
function readable(row: PolicyRow, otherwise: Policy): Policy {
  try {
    return contentOf(row);
  } catch {
    return otherwise;
  }
}
