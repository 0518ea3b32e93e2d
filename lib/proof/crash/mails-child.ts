/** A worker in a process of its own that sends the mails that are due. */
import { db } from "@/lib/server/db.ts";
import { createLog } from "@/lib/server/log.ts";
import { sendDueMails } from "@/lib/server/services/mail/send-due-mails.ts";

await sendDueMails({ db: db(), now: () => new Date(), log: createLog("child") });
