import { jobs } from "@/lib/contracts/jobs.ts";
import { defineJob } from "@/lib/server/jobs/define-job.ts";
import { writeWeeklySummaries } from "@/lib/server/services/notifications/write-weekly-summaries.ts";

export const weeklySummary = defineJob(jobs.weeklySummary, writeWeeklySummaries);
