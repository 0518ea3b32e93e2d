import { createBrokers } from "../broker/brokers.ts";
import type { Brokers, Queue } from "../context.ts";
import { db } from "../db.ts";
import { queue } from "../jobs/queue.ts";
import { marketData } from "../providers/market-data-registry.ts";
import type { Ports } from "./serve.ts";

let brokers: Brokers | undefined;
let doorbell: Queue | undefined;

/** The process's own adapters, made at first use, so that a build needs no environment. */
export function requestPorts(): Ports {
  brokers ??= createBrokers();
  doorbell ??= queue();
  return { now: () => new Date(), db: db(), brokers, marketData, queue: doorbell };
}
