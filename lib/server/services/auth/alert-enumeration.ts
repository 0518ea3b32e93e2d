import { jobs } from "@/lib/contracts/jobs.ts";
import type { Context } from "@/lib/server/context.ts";
import { mailAlert } from "../../core/mail-alert.ts";

/** Tells the administrators, once a day, that somebody tries addresses from everywhere. */
export async function alertEnumeration({ db, now, queue }: Context): Promise<void> {
  const at = now();
  await db.$transaction((tx) =>
    mailAlert(tx, "administrators", {
      key: `enumeration:${at.toISOString().slice(0, 10)}`,
      subject: "Somebody tries out who has an account",
      isUrgent: true,
      paragraphs: [
        `Since ${at.toISOString().slice(11, 16)} UTC more than a hundred email addresses were tried within ten minutes at registration and forgotten passwords, from many networks.`,
        "Until it calms down, both answer every address alike: nobody learns who has an account, new people can register and known ones get their mail. There is nothing that you must do.",
      ],
    }),
  );
  await queue.enqueue(jobs.mail, {});
}
