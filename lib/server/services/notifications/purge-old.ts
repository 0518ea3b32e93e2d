import { DAY_MS } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";

const KEPT_PER_PERSON = 500;
/** Longer than the weekly summary is written for: its notification is how it is known that it was. */
const WEEKLY_KEPT_MS = 7 * DAY_MS;
const MAILS_KEPT_MS = 90 * DAY_MS;
const SIGN_INS_KEPT_MS = 90 * DAY_MS;
const DELIVERIES_KEPT_MS = 30 * DAY_MS;

/**
 * Deletes what is out of date: notifications beyond the newest of each person, and mails and deliveries of long ago,
 * sent or not (what was not sent in that time is out of date), and sign-ins that ended long ago. The newest sign-in of each person
 * stays: who comes back after a long time is still told of a new device or network (note-sign-in.ts).
 */
export async function purgeOld({ db, now, log }: Pick<Context, "db" | "now" | "log">): Promise<void> {
  const notifications = await db.$executeRaw`
    delete from "Notification" where "id" in (
      select "id" from (
        select "id", row_number() over (partition by "userId" order by "at" desc, "id" desc) as "place", "kind", "at" from "Notification"
      ) as "placed" where "place" > ${KEPT_PER_PERSON}
        and not ("kind" = 'WEEKLY' and "at" > ${new Date(now().getTime() - WEEKLY_KEPT_MS)}::timestamptz)
    )`;
  const mails = await db.outbox.deleteMany({ where: { createdAt: { lt: new Date(now().getTime() - MAILS_KEPT_MS) } } });
  const deliveries = await db.delivery.deleteMany({
    where: { createdAt: { lt: new Date(now().getTime() - DELIVERIES_KEPT_MS) } },
  });
  const signIns = await db.$executeRaw`
    delete from "SignIn" s where s."expiresAt" < ${new Date(now().getTime() - SIGN_INS_KEPT_MS)}::timestamptz
      and exists (select 1 from "SignIn" newer where newer."userId" = s."userId" and newer."createdAt" > s."createdAt")`;
  log.info("notifications.purged", { count: notifications + mails.count + deliveries.count + signIns });
}
