import { jobs } from "@/lib/contracts/jobs.ts";
import { defineJob } from "@/lib/server/jobs/define-job.ts";
import { purgeOld } from "@/lib/server/services/notifications/purge-old.ts";
import { purgeCalls } from "@/lib/server/services/providers/purge-calls.ts";

export const purge = defineJob(jobs.purge, async (context) => {
  await purgeOld(context);
  await purgeCalls(context);
});
