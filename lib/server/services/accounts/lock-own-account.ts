import type { SignedIn } from "../../context.ts";
import type { Tx } from "../../db.ts";
import type { Account } from "../../core/row-types.ts";
import { lockAccount } from "../../core/transaction.ts";
import { accountNotFound } from "./end-account.ts";

/** The caller's own account, locked; for other callers it does not exist. */
export async function lockOwnAccount(tx: Tx, actor: SignedIn, id: string): Promise<Account> {
  const own = { id, userId: actor.userId, deletedAt: null };
  if ((await tx.account.count({ where: own })) === 0) throw accountNotFound();
  const account = await lockAccount(tx, id);
  if (account.deletedAt !== null) throw accountNotFound();
  return account;
}
