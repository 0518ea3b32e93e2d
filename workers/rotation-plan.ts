import { jobs } from "@/lib/contracts/jobs.ts";
import { defineJob } from "@/lib/server/jobs/define-job.ts";
import { planRotations } from "@/lib/server/services/rotation/plan-rotation.ts";

export const rotationPlan = defineJob(jobs.rotationPlan, planRotations);
