import { randomUUID } from "node:crypto";
import { accountTitle } from "@/lib/domain/account-title.ts";
import { MINUTE_MS } from "@/lib/domain/time.ts";
import type { Tx } from "../db.ts";
import type { ActivityItem, MailProps } from "../mail/mail-props.ts";
import { queueMail } from "../mail/outbox.ts";
import { environmentLabel } from "../rows.ts";
import type { Account } from "./row-types.ts";

/** A cycle sends its orders and receives their fills in this time: they go into one mail. Wall time. */
const COLLECT_MS = 2 * MINUTE_MS;
/** Between two mails about one account. */
const APART_MS = 10 * MINUTE_MS;
const ITEMS_MOST = 200;

/**
 * Puts what happened into the account's next mail, in the transaction of the event. The mail stays open until the
 * worker takes it: from then on a new one collects. The row's lock decides between the two, so that nothing that
 * happened is left out or sent twice.
 */
export async function addActivity(
  tx: Tx,
  user: { id: string; email: string; firstName: string },
  account: Account,
  item: ActivityItem,
  at: Date,
): Promise<void> {
  const latest = await addToLatest(tx, user.id, account.id, item);
  if (latest.isAdded) return;
  const collected = new Date(at.getTime() + COLLECT_MS);
  const apart = new Date((latest.dueAt?.getTime() ?? 0) + APART_MS);
  const props: MailProps<"activity"> = {
    firstName: user.firstName,
    accountId: account.id,
    account: { title: accountTitle(account), environment: environmentLabel(account) },
    items: [item],
  };
  await queueMail(tx, {
    dedupeKey: `activity:${account.id}:${randomUUID()}`,
    userId: user.id,
    recipient: user.email,
    template: "activity",
    props,
    dueAt: collected > apart ? collected : apart,
  });
}

/** Adds to the account's latest mail, unless that is on its way or full. Answers when the latest one was or will be sent; null where there is none. */
async function addToLatest(
  tx: Tx,
  userId: string,
  accountId: string,
  item: ActivityItem,
): Promise<{ dueAt: Date | null; isAdded: boolean }> {
  const [answer] = await tx.$queryRaw<{ dueAt: Date | null; isAdded: boolean }[]>`
    with latest as (
      select "id", coalesce("sentAt", "dueAt") as "dueAt" from "Outbox"
      where "userId" = ${userId}::uuid and "template" = 'activity' and "props" ->> 'accountId' = ${accountId}
      order by "createdAt" desc limit 1
    ), added as (
      update "Outbox" set "props" = jsonb_set("props", '{items}', ("props" -> 'items') || ${JSON.stringify(item)}::jsonb)
      where "id" = (select "id" from latest) and "attempts" = 0 and "sentAt" is null and "failedAt" is null
        and jsonb_array_length("props" -> 'items') < ${ITEMS_MOST}
      returning 1
    )
    select (select "dueAt" from latest) as "dueAt", exists (select from added) as "isAdded"`;
  if (answer === undefined) throw new Error("Postgres answered no row");
  return answer;
}
