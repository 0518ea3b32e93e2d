import type { Split } from "./canary.ts";
import type { Consumer } from "./queue.ts";

export interface StandIn {
  look(split: Split): Promise<void>;
  hold(isHeld: boolean): void;
  close(): Promise<void>;
}

/**
 * An ordinary worker's consumers of the canary's queues. From the first share on that the worker sees they are open whenever no
 * canary lives, so that what waits there when one ends is done; before that they would cost connections for nothing.
 */
export function standIn(open: () => Consumer[]): StandIn {
  let consumers: Consumer[] = [];
  let wasShared = false;
  let isHeld = false;
  let isClosed = false;
  async function closeOpen(): Promise<void> {
    const closing = consumers;
    consumers = [];
    await Promise.allSettled(closing.map((consumer) => consumer.close()));
  }
  return {
    async look({ share, isAlive }) {
      if (isClosed) return;
      wasShared ||= share > 0;
      // Closed, not held: a consumer that is held takes one more job.
      if (isAlive || !wasShared) return closeOpen();
      if (consumers.length > 0) return;
      consumers = open();
      if (isHeld) for (const consumer of consumers) consumer.hold(true);
    },
    hold(next) {
      isHeld = next;
      for (const consumer of consumers) consumer.hold(next);
    },
    close() {
      isClosed = true;
      return closeOpen();
    },
  };
}
