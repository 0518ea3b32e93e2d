import { jobs } from "@/lib/contracts/jobs.ts";
import { defineJob } from "@/lib/server/jobs/define-job.ts";
import { sendDueMails } from "@/lib/server/services/mail/send-due-mails.ts";

export const mail = defineJob(jobs.mail, sendDueMails);
