import type { Context } from "../../context.ts";

/**
 * Makes the partitions of the next months ahead, and those of a time whose rows lie in none yet. Trading does not wait for it: what has
 * no partition goes where the rest lies.
 */
export async function keepPartitions({ db, log }: Pick<Context, "db" | "log">): Promise<void> {
  try {
    const [row] = await db.$queryRaw<{ count: number }[]>`select make_partitions() as "count"`;
    const count = row?.count ?? 0;
    if (count === 0) return;
    log.info("partitions.created", { count });
    await db.$executeRaw`select analyze_partitioned()`;
  } catch (error) {
    // Another transaction held a table for longer than this one may wait: there are three months left to make them in.
    log.warn("partitions.create-failed", { err: error });
  }
}

/** How many rows of each table have no partition of their time. */
export async function rowsInNoPartition({ db }: Pick<Context, "db">): Promise<{ table: string; rows: number }[]> {
  const rows = await db.$queryRaw<
    { table: string; rows: bigint }[]
  >`select "table", "rows" from rows_in_no_partition()`;
  return rows.map((row) => ({ table: row.table, rows: Number(row.rows) }));
}
