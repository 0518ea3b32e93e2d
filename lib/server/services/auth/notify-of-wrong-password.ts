import { easternText } from "@/lib/domain/format.ts";
import { jobs } from "@/lib/contracts/jobs.ts";
import type { Context } from "../../context.ts";
import { queueMail } from "../../mail/outbox.ts";
import { notify } from "../../core/notify.ts";
import { deviceOf } from "./device-of.ts";
import { takeMail } from "./limit-mail.ts";

/** Tells a person in the product and by mail that a check of their password failed. Strangers' addresses get no mail. */
export async function notifyOfWrongPassword(
  { db, now, queue, request }: Pick<Context, "db" | "now" | "queue" | "request">,
  { email }: { email: string },
): Promise<void> {
  const at = now();
  const owner = await db.user.findUnique({
    where: { email },
    select: { id: true, firstName: true, emailVerifiedAt: true, disabledAt: true },
  });
  if (!owner || owner.disabledAt !== null) return;
  const { ipAddress } = request;
  const device = deviceOf(request.userAgent);
  const isMailed = owner.emailVerifiedAt !== null && !(await takeMail("wrong-password", email)).isFull;
  await db.$transaction(async (tx) => {
    await notify(tx, {
      userId: owner.id,
      dedupeKey: `wrong-password:${request.id}`,
      at,
      kind: "SECURITY",
      title: "A wrong password was entered for your account",
      text: `${device ?? "An unknown device"}, ${ipAddress ?? "unknown address"}, ${easternText(at.getTime())}. If it was not you, choose a password that you use nowhere else.`,
      link: "/settings?tab=security",
    });
    if (!isMailed) return;
    await queueMail(tx, {
      dedupeKey: `wrong-password:${request.id}:${owner.id}`,
      userId: owner.id,
      recipient: email,
      template: "wrong-password",
      props: { firstName: owner.firstName, device, ipAddress, failedAt: at.toISOString() },
      dueAt: at,
    });
  });
  if (isMailed) await queue.enqueue(jobs.mail, {});
}
