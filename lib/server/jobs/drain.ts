interface Closes {
  close(): Promise<void>;
}

/**
 * Ends what takes jobs, and what runs beside it. No job begins from here on, however long the rest takes to end: a broker that hangs holds it for
 * many seconds, and a job that began meanwhile would be cut off in the middle. Resolves when running jobs have ended, too.
 */
export async function drain(consumers: readonly Closes[], endOthers: () => Promise<unknown>): Promise<void> {
  const closed = Promise.allSettled(consumers.map((consumer) => consumer.close()));
  await endOthers();
  await closed;
}
