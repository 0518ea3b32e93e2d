import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { preferencesApi } from "@/lib/contracts/preferences.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { callFacts, recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { inTransaction } from "../../core/transaction.ts";
import { isFlagOn } from "../flags/read-flags.ts";

type Profile = Given<typeof preferencesApi.readProfile>;

const SHOWN = { displayName: true, bio: true } as const;

export function readProfile({ actor, db }: Context<"user">): Promise<Profile> {
  return db.user.findUniqueOrThrow({ where: { id: actor.userId }, select: SHOWN });
}

/** Saves display name and bio, and tells the trail which was changed, where the flag is on; else answers in the specification's words. */
export async function saveProfile(
  context: Context<"user">,
  { displayName, bio }: Received<typeof preferencesApi.saveProfile>,
): Promise<Profile> {
  if (!(await isFlagOn(context, "profile_editing"))) {
    throw new Failure("not_implemented", "profile settings not yet implemented");
  }
  const { actor, now, request } = context;
  const { userId } = actor;
  const wanted: Profile = { displayName: displayName || null, bio: bio || null };
  return inTransaction(context, async (tx) => {
    await tx.$queryRaw`select 1 from "User" where "id" = ${userId}::uuid for no key update`;
    const before = await tx.user.findUniqueOrThrow({ where: { id: userId }, select: SHOWN });
    const changed = (["displayName", "bio"] as const).filter((name) => before[name] !== wanted[name]);
    if (changed.length === 0) return before;
    const saved = await tx.user.update({ where: { id: userId }, data: wanted, select: SHOWN });
    await recordAudit(tx, {
      at: now(),
      eventType: "PROFILE_CHANGED",
      ...callFacts({ actor, request }),
      subjectUserId: userId,
      // What was written is personal, and stays out of the trail.
      data: Object.fromEntries(changed.map((name) => [name, true])),
    });
    return saved;
  });
}
