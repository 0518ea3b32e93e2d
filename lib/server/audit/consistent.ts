import { eventHash, type ChainedEvent } from "./chain.ts";
import type { Head } from "./signed-head.ts";

export interface ChainedRow extends ChainedEvent {
  prevHash: string;
  hash: string;
}

/**
 * Whether the older head lies on the path to the newer one, as a consistency proof of RFC 9162 shows it for a tree. For a chain the proof
 * is the rows themselves, from the older head's to the newer head's, in order. Answers null, or the number of the first row
 * that does not fit.
 */
export async function consistent(
  older: Head,
  newer: Head,
  rows: Iterable<ChainedRow> | AsyncIterable<ChainedRow>,
): Promise<null | bigint> {
  let [expected, previous] = [older.seq, ""];
  for await (const row of rows) {
    const follows = row.seq === expected && row.seq <= newer.seq;
    const isOlder = row.seq === older.seq;
    const isRight = isOlder ? row.hash === older.hash : row.prevHash === previous;
    if (!follows || !isRight || row.hash !== eventHash(row.prevHash, row)) return expected;
    [expected, previous] = [expected + 1n, row.hash];
  }
  const isComplete = expected === newer.seq + 1n;
  if (!isComplete) return expected;
  return previous === newer.hash ? null : newer.seq;
}
