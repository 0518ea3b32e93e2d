import type { Tx } from "../db.ts";
import { AUDIT_HEAD, CHAIN_START, eventHash, headProof } from "./chain.ts";

/**
 * edited: the row is not as it was written, or stands in another's place; missing: rows on both sides of it are there;
 * cut: it and all after it are gone; extra: it lies before the start or behind the remembered end of the chain.
 */
type Problem = "edited" | "missing" | "cut" | "extra";

export interface AuditVerdict {
  ok: boolean;
  /** Rows that were read and found right. */
  rows: number;
  /** The first row that is wrong or missing. */
  firstBad?: { seq: bigint; problem: Problem };
}

const PAGE = 1_000;

interface Ends {
  first: bigint | null;
  last: bigint | null;
  headSeq: string | null;
  headHash: string | null;
  headProof: string | null;
}

/**
 * Walks the chain from its start to its remembered end and names the first row that is not as it was written. Rows that are
 * added during the walk are left to the next one. Two pages are in memory at a time: while one is verified, the next is read.
 */
export async function verifyAudit(db: Tx): Promise<AuditVerdict> {
  // Rows and remembered end are written together, so one statement that reads both finds them at the same row.
  const [ends] = await db.$queryRaw<[Ends]>`
    select min("seq") as "first", max("seq") as "last",
      (select "detail" ->> 'seq' from "Lease" where "name" = ${AUDIT_HEAD}) as "headSeq",
      (select "owner" from "Lease" where "name" = ${AUDIT_HEAD}) as "headHash",
      (select "detail" ->> 'proof' from "Lease" where "name" = ${AUDIT_HEAD}) as "headProof"
    from "AuditEvent"`;
  const { first, last } = ends;
  if (first !== null && first < 1n) return { ok: false, rows: 0, firstBad: { seq: first, problem: "extra" } };
  const end = provenEnd(ends);

  let previous = CHAIN_START;
  let expected = 1n;
  let next = last === null ? null : readPage(db, 1n, last);
  while (next !== null) {
    const page = await next;
    const highest = page.at(-1)?.seq ?? null;
    next = last === null || highest === null || highest >= last ? null : readPage(db, highest + 1n, last);
    // A walk that ends early leaves a page unread: its failure would concern nobody.
    next?.catch(() => undefined);
    for (const row of page) {
      if (row.seq !== expected) return bad(expected, "missing");
      if (end !== null && row.seq > end.seq) return bad(row.seq, "extra");
      if (row.prevHash !== previous || row.hash !== eventHash(previous, row)) return bad(expected, "edited");
      if (end?.seq === row.seq && end.hash !== row.hash) return bad(expected, "edited");
      previous = row.hash;
      expected += 1n;
    }
  }
  const walked = expected - 1n;
  const isCut = end === null ? walked > 0n || ends.headHash !== null : end.seq > walked;
  return isCut ? bad(expected, "cut") : { ok: true, rows: Number(walked) };
}

function readPage(db: Tx, from: bigint, to: bigint) {
  return db.auditEvent.findMany({ where: { seq: { gte: from, lte: to } }, orderBy: { seq: "asc" }, take: PAGE });
}

const bad = (seq: bigint, problem: Problem): AuditVerdict => ({
  ok: false,
  rows: Number(seq - 1n),
  firstBad: { seq, problem },
});

/** Null when there is no remembered end, or one that we did not write. */
function provenEnd({ headSeq, headHash, headProof: proof }: Ends): { seq: bigint; hash: string } | null {
  if (headSeq === null || headHash === null || !/^\d+$/.test(headSeq)) return null;
  const seq = BigInt(headSeq);
  return proof === headProof(seq, headHash) ? { seq, hash: headHash } : null;
}
