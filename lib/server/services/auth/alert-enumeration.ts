import { jobs } from "@/lib/contracts/jobs.ts";
import type { Context } from "../../context.ts";
import { mailAlert } from "../../core/mail-alert.ts";

/** Tells the administrators, once a day, that addresses are tried from many networks. */
export async function alertEnumeration({ db, now, queue }: Context): Promise<void> {
  const at = now();
  await db.$transaction((tx) =>
    mailAlert(tx, "administrators", {
      key: `enumeration:${at.toISOString().slice(0, 10)}`,
      subject: "Someone is testing which email addresses have an account",
      isUrgent: true,
      paragraphs: [
        `Since ${at.toISOString().slice(11, 16)} UTC more than a hundred email addresses were tried within ten minutes, in registrations and password resets, from many networks.`,
        "Until this stops, both give the same answer for every address, so that it cannot be learned who has an account. New users can still register, and existing users still get their emails. You do not have to do anything.",
      ],
    }),
  );
  await queue.enqueue(jobs.mail, {});
}
