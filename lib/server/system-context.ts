import { createBrokers } from "./broker/brokers.ts";
import type { Context } from "./context.ts";
import { db } from "./db.ts";
import { queue } from "./jobs/queue.ts";
import { createLog } from "./log.ts";
import { marketData } from "./providers/market-data-registry.ts";

/** The context of work that no person started: the worker's jobs and the commands. */
export function systemContext(name: string): Context {
  return {
    actor: { kind: "system", name },
    now: () => new Date(),
    db: db(),
    log: createLog(name),
    request: { id: name, ipAddress: null, userAgent: null },
    brokers: createBrokers(),
    marketData,
    queue: queue(),
  };
}
