import type { accountsApi } from "@/lib/contracts/accounts.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { authorizeUrl } from "../../broker/alpaca-oauth.ts";
import type { Context } from "../../context.ts";
import { inTransaction } from "../../core/transaction.ts";
import { openAuthorization } from "./broker-authorization.ts";
import { accountNotFound } from "./end-account.ts";

/** The person goes to Alpaca, and chooses an account to connect. */
export async function startConnection(
  context: Context<"user">,
  { name, accountType, environment }: Received<typeof accountsApi.startConnection>,
): Promise<Given<typeof accountsApi.startConnection>> {
  const state = await inTransaction(context, (tx) =>
    openAuthorization(tx, context.actor, { name: name || null, accountType, environment }, context.now()),
  );
  return { authorizeUrl: authorizeUrl(state, environment) };
}

/** The person goes to Alpaca, and chooses the account that is connected already. */
export async function connectAgain(
  context: Context<"user">,
  { id }: Received<typeof accountsApi.connectAgain>,
): Promise<Given<typeof accountsApi.connectAgain>> {
  const { actor, now } = context;
  return inTransaction(context, async (tx) => {
    const account = await tx.account.findFirst({ where: { id, userId: actor.userId, deletedAt: null } });
    if (!account) throw accountNotFound();
    if (account.access !== "OAUTH")
      throw new Failure("conflict", "This account was added with its keys. With new keys: delete it and add it again.");
    const { environment, accountType } = account;
    const state = await openAuthorization(tx, actor, { accountId: id, environment, accountType, name: null }, now());
    return { authorizeUrl: authorizeUrl(state, environment) };
  });
}
