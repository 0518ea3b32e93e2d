import type { Context } from "../../context.ts";
import { inTransaction } from "../../core/transaction.ts";
import { sendNews } from "./person-event.ts";
import { notifySecurity } from "./notify-security.ts";

/** Tells a person, once a day, that many wrong codes or passwords were given by a caller who was past the first check. */
export async function warnOfFailedChecks(context: Context, userId: string): Promise<void> {
  const at = context.now();
  await inTransaction(context, (tx) =>
    notifySecurity(tx, {
      userId,
      key: `failed-checks:${at.toISOString().slice(0, 10)}`,
      subject: "Many wrong codes were entered for your account",
      text: "A wrong code or confirmation was entered many times within an hour. For up to an hour codes are not accepted; passkeys and recovery codes still are.",
      at,
    }),
  );
  await sendNews(context);
}
