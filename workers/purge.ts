import { jobs } from "@/lib/contracts/jobs.ts";
import { defineJob } from "@/lib/server/jobs/define-job.ts";
import { purgeOld } from "@/lib/server/services/notifications/purge-old.ts";

export const purge = defineJob(jobs.purge, purgeOld);
