import { jobs } from "@/lib/contracts/jobs.ts";
import { defineJob } from "@/lib/server/jobs/define-job.ts";
import { runScreening } from "@/lib/server/services/cycles/run-screening.ts";

export const screening = defineJob(jobs.screening, runScreening);
