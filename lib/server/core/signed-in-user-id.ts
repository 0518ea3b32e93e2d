import { Failure } from "@/lib/domain/failures.ts";
import type { Actor } from "@/lib/server/context.ts";

/** Whose rows a call may see. Doors let only signed-in people through; a service that is reached otherwise stops here. */
export function signedInUserId(actor: Actor): string {
  if (actor.kind !== "user") throw new Failure("unauthenticated", "Please sign in.");
  return actor.userId;
}
