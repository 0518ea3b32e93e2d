import { jobs } from "@/lib/contracts/jobs.ts";
import { defineJob } from "@/lib/server/jobs/define-job.ts";
import { runWhatIfs } from "@/lib/server/services/policy/run-what-ifs.ts";

/** Beside the worker's own file, as source and as built. */
const program = import.meta.url.replace(/[^/]+(\.m?[jt]s)$/, "threads/what-if$1");

export const whatIf = defineJob(jobs.whatIf, (context) => runWhatIfs(context, program));
