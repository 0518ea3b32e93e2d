import { jobs } from "@/lib/contracts/jobs.ts";
import type { accountsApi } from "@/lib/contracts/accounts.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { exchangeCode } from "../../broker/alpaca-oauth.ts";
import type { BrokerAccount } from "../../broker/broker.ts";
import type { AccessToken, BrokerTarget, Context } from "../../context.ts";
import { sealKeys } from "../../secrets/seal.ts";
import { recordEvent } from "../../core/record-event.ts";
import { inTransaction } from "../../core/transaction.ts";
import { accountColumns, accountView } from "./account-view.ts";
import { takeAuthorization } from "./broker-authorization.ts";
import { brokerUnavailable } from "./check-keys.ts";
import { lockOwnAccount } from "./lock-own-account.ts";
import { storeAccount } from "./store-account.ts";

/** The person is back from Alpaca: the code becomes access, and the access an account, or that of the account it was asked for. */
export async function finishConnection(
  context: Context<"user">,
  { state, code, error }: Received<typeof accountsApi.finishConnection>,
): Promise<Given<typeof accountsApi.finishConnection>> {
  const { environment, accountType, name, accountId } = await takeAuthorization(context, state);
  if (code === undefined) throw notGranted(error);
  const token = await exchangeCode(context, code);
  const target: BrokerTarget = { broker: "ALPACA", environment };
  const found = await accountBehind(context, target, token);
  if (accountId !== null) return replaceAccess(context, accountId, token, found);
  return storeAccount(context, { userId: context.actor.userId, name, accountType, target, keys: token, found });
}

/** RFC 6749 names the errors; a person refuses by access_denied. */
function notGranted(error: string | undefined): Failure {
  const isDenied = error === "access_denied";
  const why = isDenied ? "You did not allow the connection at Alpaca." : "Alpaca did not complete the connection.";
  return new Failure("conflict", `${why} Nothing was saved.`);
}

async function accountBehind({ brokers }: Context, target: BrokerTarget, token: AccessToken): Promise<BrokerAccount> {
  try {
    return await brokers.withKeys(target, token).account();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === "broker_refused") {
      const message = `What you allowed at Alpaca gives no access to a ${target.environment} account. Nothing was saved. Connect again.`;
      throw new Failure("conflict", message, { cause: error });
    }
    throw error.code === "broker_unavailable" ? brokerUnavailable(error) : error;
  }
}

/** The account stays as it is; its next reading lifts a halt that refused access had caused (`resumeAcceptedKeys`). */
async function replaceAccess(
  context: Context<"user">,
  id: string,
  token: AccessToken,
  found: BrokerAccount,
): Promise<Given<typeof accountsApi.finishConnection>> {
  const { actor, queue } = context;
  const view = await inTransaction(context, async (tx) => {
    const { userId, environment, broker, brokerAccountId, accountNumberEnd } = await lockOwnAccount(tx, actor, id);
    if (found.id !== brokerAccountId) {
      const which = accountNumberEnd === null ? "this one" : `this one, whose number ends in ${accountNumberEnd}`;
      throw new Failure(
        "conflict",
        `At Alpaca you chose another account than ${which}. Nothing was changed. Connect again and choose the right one.`,
      );
    }
    const sealedKeys = sealKeys(token, { userId, accountId: id, environment });
    await tx.account.update({ where: { id }, data: { sealedKeys } });
    await recordEvent(context, tx, {
      level: "info",
      message: "The account was connected again: new access replaced the old one.",
      userId,
      accountId: id,
      audit: { eventType: "ACCOUNT_CONNECTED_AGAIN", data: { accountId: id, broker, environment, access: "OAUTH" } },
    });
    return accountView(await tx.account.findUniqueOrThrow({ where: { id }, select: accountColumns }));
  });
  await queue.enqueue(jobs.orderStatus, { accountId: id });
  return view;
}
