import type { Tx } from "../db.ts";
import type { ActivityItem } from "../mail/mail-props.ts";
import { wantedKinds } from "../mail/wanted-mails.ts";
import { environmentLabel } from "../rows.ts";
import { addActivity } from "./add-activity.ts";
import type { Account } from "./row-types.ts";
import { notify, renewNotification, type UserNotification } from "./notify.ts";

interface Person extends Record<"id" | "email" | "firstName", string> {
  disabledAt: Date | null;
  preferences: Parameters<typeof wantedKinds>[0];
}

/** One statement, since trades wait for it. */
async function readPerson(tx: Tx, userId: string): Promise<Person> {
  const [person] = await tx.$queryRaw<Person[]>`
    select u."id", u."email", u."firstName", u."disabledAt", to_jsonb(p) as "preferences"
    from "User" u left join "NotificationPreferences" p on p."userId" = u."id" where u."id" = ${userId}::uuid`;
  if (person === undefined) throw new Error(`there is no user ${userId} to notify`);
  return person;
}

type ActivityText = Pick<UserNotification, "dedupeKey" | "title" | "text" | "link">;

/**
 * Notifies an account's owner of what happened to an order or a trade: in the product's pages, and in the account's next
 * mail. Kinds that the user switched off are left out. `at` is wall time.
 */
export async function notifyActivity(
  tx: Tx,
  account: Account,
  item: ActivityItem,
  activityText: ActivityText,
  at: Date,
): Promise<void> {
  const user = await readPerson(tx, account.userId);
  const isTrade = item.what === "FILLED";
  const kind = isTrade ? "trades" : "orders";
  if (user.disabledAt !== null || !wantedKinds(user.preferences, "pages").has(kind)) return;
  const notification = {
    ...activityText,
    userId: user.id,
    at,
    marketAt: new Date(item.at),
    kind: isTrade ? ("TRADE" as const) : ("ORDER" as const),
    environment: environmentLabel(account),
  };
  // A fill is posted once, and notified each time; an order's event may be reported again.
  if (isTrade) await renewNotification(tx, notification);
  else if (!(await notify(tx, notification))) return;
  if (wantedKinds(user.preferences).has(kind)) await addActivity(tx, user, account, item, at);
}
