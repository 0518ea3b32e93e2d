import { Failure } from "@/lib/domain/failures.ts";
import { stepUpRefusal } from "@/lib/domain/step-up.ts";
import type { Context } from "../context.ts";

/**
 * For calls whose contract says "loosening", once it is clear that a protection is loosened. Commands and processes of this
 * installation need no step-up.
 */
export function requireStepUp({ actor, now }: Pick<Context, "actor" | "now">): void {
  if (actor.kind === "system") return;
  if (actor.kind === "user" && actor.accessToken)
    throw new Failure("forbidden", "An access token may not loosen a protection. Sign in to the website to do it.");
  const refusal = stepUpRefusal(actor.kind === "user" ? actor.confirmedAt : undefined, now());
  if (refusal) throw refusal;
}
