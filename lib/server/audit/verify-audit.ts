import type { Db } from "../db.ts";
import { AUDIT_HEAD, CHAIN_START, eventHash, headProof } from "./chain.ts";

export interface AuditVerdict {
  ok: boolean;
  /** Rows that were read and found right. */
  rows: number;
  /** The first row that is wrong or missing. */
  firstBad?: { seq: bigint; problem: "edited" | "missing" | "cut" };
}

const PAGE = 1_000;

/** Walks the chain from its start to its remembered end and names the first row that is not as it was written. */
export async function verifyAudit(db: Db): Promise<AuditVerdict> {
  // The end is read first: rows that are added during the walk lie behind it and are no fault.
  const head = await db.lease.findUnique({ where: { name: AUDIT_HEAD } });
  const end = head ? provenEnd(head) : null;
  let previous = CHAIN_START;
  let expected = 1n;
  for (;;) {
    const page = await db.auditEvent.findMany({
      where: { seq: { gte: expected } },
      orderBy: { seq: "asc" },
      take: PAGE,
    });
    for (const row of page) {
      if (row.seq !== expected) return bad(expected, "missing");
      if (row.prevHash !== previous || row.hash !== eventHash(previous, row)) return bad(expected, "edited");
      if (end?.seq === row.seq && end.hash !== row.hash) return bad(expected, "edited");
      previous = row.hash;
      expected += 1n;
    }
    if (page.length < PAGE) break;
  }
  const last = expected - 1n;
  const isCut = end === null ? last > 0n || head !== null : end.seq > last;
  return isCut ? bad(expected, "cut") : { ok: true, rows: Number(last) };
}

const bad = (seq: bigint, problem: "edited" | "missing" | "cut"): AuditVerdict => ({
  ok: false,
  rows: Number(seq - 1n),
  firstBad: { seq, problem },
});

function provenEnd({ owner: hash, detail }: { owner: string; detail: unknown }): { seq: bigint; hash: string } | null {
  const { seq, proof } = detail as { seq?: unknown; proof?: unknown };
  if (typeof seq !== "string" || !/^\d+$/.test(seq)) return null;
  return proof === headProof(BigInt(seq), hash) ? { seq: BigInt(seq), hash } : null;
}
