import { type Cluster, Command } from "ioredis";
import { env } from "../env.ts";
import { isOnCluster, openCluster } from "../redis-cluster.ts";

/**
 * The queues on a Redis Cluster. BullMQ's scripts touch many keys of one queue and none of two: the name of a queue is the hash tag of
 * its keys, so that they lie in one slot, and the queues spread over the nodes. On one server the keys have no tag.
 */
export const keyPrefix = (name: string): string => {
  const { QUEUE_PREFIX } = env();
  return isOnCluster() ? `{${QUEUE_PREFIX}:${name}}` : QUEUE_PREFIX;
};

const OPTIONS = {
  // A producer wants to know at once that the queue is unavailable.
  producer: { enableOfflineQueue: false },
  consumer: {},
};
type Role = keyof typeof OPTIONS;
const open = new Map<Role, Cluster>();

/** One client for all queues of a process; BullMQ copies the consumer's for each of them, and closes the copies itself. */
export function queueCluster(role: Role): Cluster {
  let client = open.get(role);
  if (!client) {
    client = openCluster(OPTIONS[role], { maxRetriesPerRequest: null });
    // A lost connection is an event here, not an exception.
    client.on("error", () => undefined);
    open.set(role, client);
  }
  return client;
}

/** What is unavailable together with this queue: the one server, or the node that holds its keys. */
export function homeOf(name: string): string {
  const slots = open.get("producer")?.slots ?? [];
  const slot = slots.length === 0 ? null : new Command("exists", [keyPrefix(name)]).getSlot();
  return (slot === null ? undefined : slots[slot]?.[0]) ?? "";
}

export function closeQueueClusters(): void {
  for (const client of open.values()) client.disconnect();
  open.clear();
}
