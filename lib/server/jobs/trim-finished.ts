import type { Queue, Worker } from "bullmq";

const STATES = ["completed", "failed"] as const;
/** A look at how many there are, once this many more have finished. */
const TRIM_EVERY = 100;

/**
 * Keeps the newest finished jobs of a queue in Postgres. BullMQ's own retention removes the older ones in the transaction that finishes a
 * job: of several that finish at once two deadlock now and then, and a job that went well is marked failed. So all are kept at first,
 * and the oldest removed here, in a transaction of its own that no job waits for.
 */
export function trimFinished(worker: Worker, queue: () => Queue, { count }: { count: number }): void {
  // The first one that finishes looks as well: what a program before this one left is removed.
  let finished = TRIM_EVERY - 1;
  let isTrimming = false;
  const trim = async () => {
    // Asked for once: what is closed meanwhile is not opened again.
    const kept = queue();
    for (const state of STATES) {
      const [oldest] = await kept.getJobs([state], count, count, false);
      // By its time and not by how many there are: consumers that trim at once remove the same jobs.
      if (oldest?.finishedOn !== undefined) await kept.clean(Date.now() - oldest.finishedOn, 0, state);
    }
  };
  const note = () => {
    finished += 1;
    if (finished < TRIM_EVERY || isTrimming) return;
    finished = 0;
    isTrimming = true;
    // What fails here is looked at again after the next ones.
    void trim()
      .catch(() => undefined)
      .finally(() => {
        isTrimming = false;
      });
  };
  worker.on("completed", note);
  worker.on("failed", note);
}
