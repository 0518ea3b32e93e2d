import { jobs } from "@/lib/contracts/jobs.ts";
import { defineJob } from "@/lib/server/jobs/define-job.ts";
import { checkSystem } from "@/lib/server/services/invariants/check-system.ts";

export const systemInvariants = defineJob(jobs.systemInvariants, checkSystem);
