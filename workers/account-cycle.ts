import { jobs } from "@/lib/contracts/jobs.ts";
import { defineJob } from "@/lib/server/jobs/define-job.ts";
import { runAccountCycle } from "@/lib/server/services/cycles/run-account-cycle.ts";

export const accountCycle = defineJob(jobs.accountCycle, runAccountCycle);
