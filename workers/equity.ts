import { jobs } from "@/lib/contracts/jobs.ts";
import { defineJob } from "@/lib/server/jobs/define-job.ts";
import { recordEquity } from "@/lib/server/services/equity/record-equity.ts";

export const equity = defineJob(jobs.equity, recordEquity);
