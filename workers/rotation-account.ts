import { jobs } from "@/lib/contracts/jobs.ts";
import { defineJob } from "@/lib/server/jobs/define-job.ts";
import { sendRotationLegs } from "@/lib/server/services/rotation/send-legs.ts";

export const rotationAccount = defineJob(jobs.rotationAccount, sendRotationLegs);
