import { jobs } from "@/lib/contracts/jobs.ts";
import { defineJob } from "@/lib/server/jobs/define-job.ts";
import { checkAccount } from "@/lib/server/services/invariants/check-account.ts";

export const invariants = defineJob(jobs.invariants, checkAccount);
