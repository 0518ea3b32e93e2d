import { Failure } from "@/lib/domain/failures.ts";
import type { Actor, Context } from "../context.ts";
import type { Account } from "./row-types.ts";

/** Administrators, and the commands and processes of this installation. */
export function isAdministrator(actor: Actor): boolean {
  return actor.kind === "system" || (actor.kind === "user" && actor.role === "ADMIN");
}

/** Throws for other actors. */
export function requireAdministrator(actor: Actor): void {
  if (isAdministrator(actor)) return;
  throw new Failure(actor.kind === "anonymous" ? "unauthenticated" : "forbidden", "Only an administrator can do this.");
}

/** The account, for its owner and for administrators; for other callers it does not exist. */
export async function accountForOperator({ actor, db }: Pick<Context, "actor" | "db">, id: string): Promise<Account> {
  if (actor.kind === "anonymous") throw new Failure("unauthenticated", "Please sign in.");
  const account = await db.account.findFirst({
    where: {
      id,
      deletedAt: null,
      ...(isAdministrator(actor) || actor.kind !== "user" ? {} : { userId: actor.userId }),
    },
  });
  if (!account) throw new Failure("not_found", "Account not found.");
  return account;
}

const REASON_MAX = 300;

/** What a person gave as the reason, on one line; null for none. */
export function reasonGiven(reason: string | null | undefined): string | null {
  const line = (reason ?? "").replace(/\s+/g, " ").trim().slice(0, REASON_MAX);
  return line === "" ? null : line;
}

/** Resuming needs a reason: an operator answers for it. */
export function reasonNeeded(reason: string | null | undefined): string {
  const line = reasonGiven(reason);
  if (line !== null) return line;
  throw new Failure("invalid_input", "Give a reason.", { issues: [{ path: "reason", message: "Give a reason." }] });
}
