import { Failure } from "@/lib/domain/failures.ts";
import type { Context } from "../../context.ts";
import { eraseKeptKeys } from "../accounts/erase-keys.ts";
import { removeAccount } from "../accounts/remove-account.ts";
import { inTransaction } from "../../core/transaction.ts";

/** Removes every account of the caller, one after the other: those that are gone already are done. No keys are kept. */
export async function closeAccounts(context: Context<"user">, userId: string): Promise<void> {
  const accounts = await context.db.account.findMany({
    where: { userId, deletedAt: null },
    orderBy: { id: "asc" },
    select: { id: true },
  });
  for (const { id } of accounts) {
    try {
      await removeAccount(context, { id }, { isErasure: true });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      // Another erasure of the same person finished first.
      if (error.code === "not_found") continue;
      throw error.code === "broker_unavailable" ? brokerUnavailable(error) : error;
    }
  }
  await inTransaction(context, (tx) => eraseKeptKeys(context, tx, { userId }, "their owner asked to be erased."));
}

function brokerUnavailable(cause: Failure): Failure {
  const message =
    "The broker of one of your accounts cannot be reached right now. Automation is off, but your account is not deleted yet. Please try again.";
  return new Failure("broker_unavailable", message, { cause, retryAfterMs: 10_000 });
}
