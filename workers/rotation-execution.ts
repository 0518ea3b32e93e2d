import { jobs } from "@/lib/contracts/jobs.ts";
import { defineJob } from "@/lib/server/jobs/define-job.ts";
import { followRotations } from "@/lib/server/services/rotation/follow-rotations.ts";

export const rotationExecution = defineJob(jobs.rotationExecution, followRotations);
