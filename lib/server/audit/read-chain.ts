import type { Tx } from "../db.ts";

const PAGE = 1_000;

/** Rows of the chain from one number to another, in order and by pages. Two are in memory at a time: while the caller looks at one, the next is read. */
export async function* readChain(db: Tx, from: bigint, to: bigint) {
  let next = from > to ? null : readPage(db, from, to);
  while (next !== null) {
    const page = await next;
    const highest = page.at(-1)?.seq ?? null;
    next = highest === null || highest >= to ? null : readPage(db, highest + 1n, to);
    // A reader that stops early leaves a page unread: its failure would change no result.
    next?.catch(() => undefined);
    yield page;
  }
}

function readPage(db: Tx, from: bigint, to: bigint) {
  return db.auditEvent.findMany({ where: { seq: { gte: from, lte: to } }, orderBy: { seq: "asc" }, take: PAGE });
}
