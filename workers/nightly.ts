import { jobs } from "@/lib/contracts/jobs.ts";
import { defineJob } from "@/lib/server/jobs/define-job.ts";
import { reconcileSessions } from "@/lib/server/services/sync/reconcile-sessions.ts";

export const nightly = defineJob(jobs.nightly, reconcileSessions);
