import { anchorFile, appendAnchor, lastAnchor } from "../../audit/anchors.ts";
import { headProof } from "../../audit/chain.ts";
import { consistent, type ChainedRow } from "../../audit/consistent.ts";
import { readChain } from "../../audit/read-chain.ts";
import { signHead, type Head, type SignedHead } from "../../audit/signed-head.ts";
import type { Context } from "../../context.ts";
import type { Db } from "../../db.ts";

/**
 * Signs the chain's present end with the time and puts it where the database's owner does not reach: into the anchor file and into the
 * log. An end that does not follow from the one that was anchored before is not signed, but named. Answers the head that was signed.
 */
export async function anchorHead({ db, log, now }: Pick<Context, "db" | "log" | "now">): Promise<SignedHead | null> {
  const file = anchorFile();
  const before = await lastAnchor(file);
  const end = await db.auditHead.findUnique({ where: { id: 1 } });
  if (end === null && before === null) return null;
  if (end === null || end.proof !== headProof(end.seq, end.hash)) {
    log.error("audit-chain.broken", { reason: "the remembered end of the chain is not ours" });
    return null;
  }
  if (before?.seq === end.seq && before.hash === end.hash) return null;
  const broken = before && (await consistent(before, end, rowsBetween(db, before, end)));
  if (before && broken !== null) {
    const reason = `audit event ${broken} contradicts the head of event ${before.seq} anchored at ${before.at.toISOString()}`;
    log.error("audit-chain.broken", { reason });
    return null;
  }
  const head = signHead({ seq: end.seq, hash: end.hash }, now());
  if (file !== null) await appendAnchor(file, head);
  // In groups: the log's scrubber takes a longer run of signs for a secret.
  const signature = (Buffer.from(head.signature, "base64url").toString("hex").match(/.{32}/g) ?? []).join(" ");
  log.info("audit-head.signed", { seq: head.seq.toString(), head: head.hash, at: head.at, signature });
  return head;
}

async function* rowsBetween(db: Db, older: Head, newer: Head): AsyncGenerator<ChainedRow> {
  for await (const page of readChain(db, older.seq, newer.seq)) yield* page;
}
