import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { policyApi } from "@/lib/contracts/policy.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { policyDifferences, nextPolicyVersion } from "@/lib/domain/policy-changes.ts";
import type { Context } from "../../context.ts";
import type { Db } from "../../db.ts";
import { storeFirstPolicy } from "../../core/active-policy.ts";
import { contentOf, storedVersion } from "./stored-policy.ts";
import { rowViews, versionView } from "./version-view.ts";

/** Versions are few; so many names are read to find the next free one. */
const MOST_NAMES = 10_000;

/** Drafts and versions, newest first. */
export async function listVersions(
  context: Context,
  { cursor, limit }: Received<typeof policyApi.versions>,
): Promise<Given<typeof policyApi.versions>> {
  await storeFirstPolicy(context);
  const { db } = context;
  const after = cursor === undefined ? null : await placeOf(db, cursor);
  const [rows, names] = await Promise.all([
    db.policyVersion.findMany({
      where: after
        ? {
            OR: [
              { createdAt: { lt: after.createdAt } },
              { createdAt: after.createdAt, version: { lt: after.version } },
            ],
          }
        : {},
      orderBy: [{ createdAt: "desc" }, { version: "desc" }],
      take: limit + 1,
    }),
    versionNames(db),
  ]);
  const page = rows.slice(0, limit);
  return {
    versions: await rowViews(db, page),
    nextVersion: nextPolicyVersion(names),
    pagination: { nextCursor: rows.length > limit ? (page.at(-1)?.version ?? null) : null, limit },
  };
}

async function placeOf(db: Db, version: string) {
  const row = await db.policyVersion.findUnique({ where: { version }, select: { version: true, createdAt: true } });
  if (row) return row;
  const message = "This page cannot be found. Load the list again.";
  throw new Failure("invalid_input", message, { issues: [{ path: "cursor", message }] });
}

export async function versionNames(db: Pick<Db, "policyVersion">): Promise<string[]> {
  const rows = await db.policyVersion.findMany({ select: { version: true }, take: MOST_NAMES });
  return rows.map(({ version }) => version);
}

export async function readVersion(
  context: Context<"admin">,
  { version }: Received<typeof policyApi.version>,
): Promise<Given<typeof policyApi.version>> {
  return versionView(context, version);
}

/** Fields in which two versions differ. */
export async function diffVersions(
  context: Context,
  { from, to }: Received<typeof policyApi.diff>,
): Promise<Given<typeof policyApi.diff>> {
  await storeFirstPolicy(context);
  const { db } = context;
  const [before, after] = await Promise.all([storedVersion(db, from), storedVersion(db, to)]);
  return { from, to, changes: policyDifferences(contentOf(before), contentOf(after)) };
}
