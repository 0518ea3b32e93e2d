type Reads<Rows extends unknown[]> = { [Nth in keyof Rows]: () => Promise<Rows[Nth]> };

/** How several reads are made. */
export type Together = <Rows extends unknown[]>(...reads: Reads<Rows>) => Promise<Rows>;

/** Over the connections of the pool. */
export const sideBySide: Together = (...reads) => Promise.all(reads.map((read) => read())) as Promise<never>;

/** One after the other, as the one connection of a transaction takes them. */
export const inTurn: Together = async (...reads) => {
  const rows: unknown[] = [];
  for (const read of reads) rows.push(await read());
  return rows as never;
};
