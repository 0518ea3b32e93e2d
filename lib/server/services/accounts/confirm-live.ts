import { DEFAULT_PREFERENCES } from "@/lib/domain/preferences.ts";
import { livePhrase, type accountsApi } from "@/lib/contracts/accounts.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import { ACCESS_TEXT } from "@/lib/domain/account-access.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { recordEvent } from "../../core/record-event.ts";
import { notifySecurity } from "../auth/notify-security.ts";
import type { Context } from "../../context.ts";
import type { Account } from "../../core/row-types.ts";
import { inTransaction } from "../../core/transaction.ts";
import { holdOfAccount } from "../sync/hold-of-account.ts";
import { accountColumns, accountView } from "./account-view.ts";
import { lockOwnAccount } from "./lock-own-account.ts";

/**
 * A LIVE account is stored INACTIVE, and trades only after its owner typed its number. It also takes that "Paper Trading
 * Only" is off: each alone keeps it from trading.
 */
export async function confirmLive(
  context: Context<"user">,
  { id, confirmation }: Received<typeof accountsApi.confirmLive>,
): Promise<Given<typeof accountsApi.confirmLive>> {
  const { actor, now } = context;
  return inTransaction(context, async (tx) => {
    const account = await lockOwnAccount(tx, actor, id);
    refuse(account, confirmation);
    const { userId } = account;
    const at = now();
    await tx.account.update({ where: { id }, data: { status: "ACTIVE", liveConfirmedAt: at } });
    const preferences = await tx.tradingPreferences.findUnique({ where: { userId } });
    const isPaperOnly = preferences?.paperTradingOnly ?? DEFAULT_PREFERENCES.paperTradingOnly;
    const heldBy = await holdOfAccount(context, id, tx);
    const message =
      heldBy === null
        ? "The LIVE account is confirmed: from the next cycle on it is traded with real money."
        : `The LIVE account is confirmed. ${heldBy}`;
    // From here on real money is traded: it is told whatever was switched off, so that a stranger's confirmation is noticed.
    await notifySecurity(tx, {
      ...{ userId, at },
      key: `live-confirmed:${id}:${at.toISOString()}`,
      subject: "A LIVE account was confirmed",
      text: message,
      advice: "If this was not you, pause the account and change your password.",
    });
    await recordEvent(context, tx, {
      level: "warn",
      message,
      userId,
      accountId: id,
      at,
      audit: {
        eventType: "LIVE_CONFIRMED",
        data: {
          accountId: id,
          paperTradingOnly: isPaperOnly,
          maxPositions: preferences?.maxPositions ?? null,
          maxPositionValue: preferences?.maxPositionValue.toFixed() ?? null,
        },
      },
    });
    return { ...accountView(await tx.account.findUniqueOrThrow({ where: { id }, select: accountColumns })), heldBy };
  });
}

function refuse(account: Account, confirmation: string): void {
  const { environment, status, access, sealedKeys, accountNumberEnd } = account;
  if (environment !== "LIVE") throw new Failure("conflict", "Only LIVE accounts are confirmed.");
  if (status !== "INACTIVE") throw new Failure("conflict", "This account is confirmed already.");
  if (sealedKeys === null) throw new Failure("conflict", ACCESS_TEXT[access].erased);
  if (accountNumberEnd === null)
    throw new Failure("conflict", "The number of this account is not known. Delete it and add it again.");
  if (confirmation !== livePhrase(accountNumberEnd)) {
    const message = "Type LIVE and the last four characters of the account's number, as the dialog shows them.";
    throw new Failure("invalid_input", message, { issues: [{ path: "confirmation", message }] });
  }
}
