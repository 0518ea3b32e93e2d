import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { preferencesApi } from "@/lib/contracts/preferences.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { Context } from "../../context.ts";
import { isFlagOn } from "../flags/read-flags.ts";

type Profile = Given<typeof preferencesApi.readProfile>;

const SHOWN = { displayName: true, bio: true } as const;

export function readProfile({ actor, db }: Context<"user">): Promise<Profile> {
  return db.user.findUniqueOrThrow({ where: { id: actor.userId }, select: SHOWN });
}

/** Saves display name and bio where the flag is on; else answers in the specification's words. */
export async function saveProfile(
  context: Context<"user">,
  { displayName, bio }: Received<typeof preferencesApi.saveProfile>,
): Promise<Profile> {
  if (!(await isFlagOn(context, "profile_editing"))) {
    throw new Failure("not_implemented", "profile settings not yet implemented");
  }
  return context.db.user.update({
    where: { id: context.actor.userId },
    data: { displayName: displayName || null, bio: bio || null },
    select: SHOWN,
  });
}
