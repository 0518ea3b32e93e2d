import { jobs } from "@/lib/contracts/jobs.ts";
import { defineJob } from "@/lib/server/jobs/define-job.ts";
import { checkProviders } from "@/lib/server/services/providers/check-providers.ts";

export const providerCheck = defineJob(jobs.providerCheck, (context) => checkProviders(context));
