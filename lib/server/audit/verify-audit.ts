import type { Tx } from "../db.ts";
import { CHAIN_START, eventHash, follows, headProof } from "./chain.ts";
import { readChain } from "./read-chain.ts";
import type { SignedHead } from "./signed-head.ts";

/**
 * edited: the row is not as it was written, or stands in another's place; missing: rows on both sides of it are there;
 * cut: it and all after it are gone; extra: it lies before the start or behind the remembered end of the chain; rolled_back: the
 * chain fits together, and contradicts a head that was signed and anchored outside of the database.
 */
type Problem = "edited" | "missing" | "cut" | "extra" | "rolled_back";

export interface AuditVerdict {
  ok: boolean;
  /** Rows that were read and found right. */
  rows: number;
  /** The first row that is wrong or missing. */
  firstBad?: { seq: bigint; problem: Problem; anchor?: SignedHead };
  /** Where the next part begins; absent at the end of the chain. */
  next?: bigint;
  /** The last row that there was when the walk began; absent of an empty chain. */
  last?: bigint;
}

interface Part {
  from?: bigint;
  /** Rows of one part, in whole pages. */
  most?: number;
  /** Heads that were signed earlier, the lowest first, read before this is called. */
  anchors?: SignedHead[];
}

interface Ends {
  first: bigint | null;
  last: bigint | null;
  headSeq: bigint | null;
  headHash: string | null;
  headProof: string | null;
}

/**
 * Walks the chain from its start to its remembered end and names the first row that is not as it was written. Rows that are
 * added during the walk are left to the next one. A part begins at the hash of the row before it, which is verified again.
 * Each anchored head has to name the hash of its row.
 */
export async function verifyAudit(db: Tx, part: Part = {}): Promise<AuditVerdict> {
  const { from = 1n, most = Infinity, anchors = [] } = part;
  // Rows and remembered end are written together, so one statement that reads both finds them at the same row.
  const [ends] = await db.$queryRaw<[Ends]>`
    select e."first", e."last", h."seq" as "headSeq", h."hash" as "headHash", h."proof" as "headProof"
    from (select min("seq") as "first", max("seq") as "last" from "AuditEvent") e left join "AuditHead" h on true`;
  const { first, last } = ends;
  if (first !== null && first < 1n) return { ok: false, rows: 0, firstBad: { seq: first, problem: "extra" } };
  const end = provenEnd(ends);

  const before = from === 1n ? CHAIN_START : await hashBefore(db, from);
  if (before === null) return { ok: false, rows: 0, firstBad: { seq: from - 1n, problem: "edited" } };
  const pending = anchors.filter(({ seq }) => seq >= from);
  const bad = (seq: bigint, problem: Problem, anchor?: SignedHead): AuditVerdict => ({
    ok: false,
    rows: Number(seq - from),
    firstBad: { seq, problem, ...(anchor ? { anchor } : {}) },
  });
  let previous = before;
  let expected = from;
  for await (const page of readChain(db, from, last ?? 0n)) {
    for (const row of page) {
      if (row.seq !== expected) return bad(expected, "missing");
      if (end !== null && row.seq > end.seq) return bad(row.seq, "extra");
      if (!follows(previous, row)) return bad(expected, "edited");
      if (end?.seq === row.seq && end.hash !== row.hash) return bad(expected, "edited");
      for (let anchor = pending[0]; anchor?.seq === row.seq; anchor = pending[0]) {
        if (anchor.hash !== row.hash) return bad(row.seq, "rolled_back", anchor);
        pending.shift();
      }
      previous = row.hash;
      expected += 1n;
    }
    if (last !== null && expected <= last && Number(expected - from) >= most)
      return { ok: true, rows: Number(expected - from), next: expected, last };
  }
  const walked = expected - 1n;
  const isCut = end === null ? walked > 0n || ends.headHash !== null : end.seq > walked;
  if (isCut) return bad(expected, "cut");
  if (pending[0]) return bad(expected, "rolled_back", pending[0]);
  return { ok: true, rows: Number(expected - from), ...(part.from === undefined || last === null ? {} : { last }) };
}

/** The hash of the row before a part; null where that row is not as it was written. */
async function hashBefore(db: Tx, from: bigint): Promise<string | null> {
  const row = await db.auditEvent.findUnique({ where: { seq: from - 1n } });
  return row !== null && row.hash === eventHash(row.prevHash, row) ? row.hash : null;
}

/** Null when there is no remembered end, or one that we did not write. */
function provenEnd({ headSeq, headHash, headProof: proof }: Ends): { seq: bigint; hash: string } | null {
  if (headSeq === null || headHash === null) return null;
  return proof === headProof(headSeq, headHash) ? { seq: headSeq, hash: headHash } : null;
}
