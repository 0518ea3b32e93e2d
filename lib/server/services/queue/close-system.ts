import type { Context } from "../../context.ts";
import { closeReplica } from "../../db.ts";
import { closeQueues } from "../../jobs/queue.ts";
import { closeLimits } from "../../limits/limit-redis.ts";
import { flushProviderCalls } from "../../providers/provider-calls.ts";
import { closeAccountWriters } from "../../core/account-writer.ts";

/** Gives every connection back, so that a program ends by itself when its work is done. */
export async function closeSystem(context: Context): Promise<void> {
  await closeQueues();
  await closeAccountWriters();
  await flushProviderCalls();
  closeLimits();
  await closeReplica();
  await context.db.$disconnect();
}
