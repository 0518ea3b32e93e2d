import { jobs } from "@/lib/contracts/jobs.ts";
import { defineJob } from "@/lib/server/jobs/define-job.ts";
import { syncOrders } from "@/lib/server/services/accounts/sync-orders.ts";

export const orderStatus = defineJob(jobs.orderStatus, syncOrders);
