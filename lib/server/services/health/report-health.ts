import type { Given } from "@/lib/contracts/endpoint.ts";
import type { healthApi } from "@/lib/contracts/health.ts";
import { WITHOUT_WORKER } from "@/lib/domain/console.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { Context } from "../../context.ts";
import { isWorkerBeating } from "../schedule/worker-lease.ts";

export async function reportLive(): Promise<Given<typeof healthApi.live>> {
  return { status: "ok" };
}

/** An unavailable database fails by itself with 503. */
export async function reportReady(context: Context): Promise<Given<typeof healthApi.ready>> {
  if (!(await isWorkerBeating(context))) {
    throw new Failure("unavailable", `The worker is silent. ${WITHOUT_WORKER}`, {
      retryAfterMs: 5_000,
    });
  }
  return { status: "ok", worker: "beating" };
}
