import { lastAnchor } from "../../audit/anchors.ts";
import { CHAIN_START, follows, headProof } from "../../audit/chain.ts";
import { readChain } from "../../audit/read-chain.ts";
import { asJson } from "../../core/json.ts";
import type { Context } from "../../context.ts";
import { stopEntries } from "./store-check.ts";
import { breachText, isHalting, type Breach } from "./table.ts";

const SCOPE = "system";
/** Rows of the audit chain verified in one look; the rest waits for the next. */
const MOST_ROWS = 20_000n;

/** Looks at what all accounts share: the audit chain since the last look (I12), plans (I11) and mails (I13). */
export async function checkSystem(context: Context): Promise<Breach[]> {
  const startedAt = performance.now();
  const { db } = context;
  const before = await db.invariantCheck.findUnique({ where: { scope: SCOPE } });
  const chain = await followChain(context, {
    seq: before?.provenSeq ?? 0n,
    hash: before?.provenHash ?? CHAIN_START,
  });
  const breaches = [...chain.breaches, ...(await planBreaches(context)), ...(await mailBreaches(context))];
  const at = context.now();
  const row = {
    checkedAt: at,
    durationMs: Math.round(performance.now() - startedAt),
    isWhole: breaches.length === 0,
    breaches: asJson(breaches),
    brokenSince: breaches.length === 0 ? null : (before?.brokenSince ?? at),
    provenSeq: chain.proven.seq,
    provenHash: chain.proven.hash,
  };
  await db.invariantCheck.upsert({ where: { scope: SCOPE }, create: { scope: SCOPE, ...row }, update: row });
  const reason = breachText(breaches);
  if (breaches.length > 0) context.log.error("system-invariants.broken", { reason });
  if (breaches.some(isHalting)) await stopEntries(context, `An invariant is broken. ${reason}`.slice(0, 300));
  return breaches;
}

interface Proven {
  seq: bigint;
  hash: string;
}

interface Ends {
  last: bigint | null;
  hash: string | null;
  seq: bigint | null;
  proof: string | null;
}

/** Goes on where the last look ended. The whole chain is walked by `verifyAudit`. */
async function followChain({ db }: Context, from: Proven): Promise<{ breaches: Breach[]; proven: Proven }> {
  const broken = (seq: bigint, detail: string) => ({
    breaches: [{ invariant: "I12" as const, subject: `audit row ${seq}`, detail }],
    proven: from,
  });
  const anchor = await lastAnchor();
  // Rows and remembered end are written together: one statement finds both at the same row.
  const [ends] = await db.$queryRaw<[Ends]>`
    select e."last", h."seq", h."hash", h."proof"
    from (select max("seq") as "last" from "AuditEvent") e left join "AuditHead" h on true`;
  const end = ends.seq;
  if (end !== null && ends.proof !== headProof(end, ends.hash ?? ""))
    return broken(end, "the remembered end of the chain is not ours");
  if (end !== null && ends.last !== null && ends.last > end) return broken(end + 1n, "behind the remembered end");
  if (anchor !== null) {
    const row = await db.auditEvent.findUnique({ where: { seq: anchor.seq }, select: { hash: true } });
    if (row?.hash !== anchor.hash)
      return broken(
        anchor.seq,
        `contradicts the head anchored at ${anchor.at.toISOString()}: the chain was rolled back`,
      );
  }
  let { seq, hash } = from;
  if (seq > 0n) {
    const last = await db.auditEvent.findUnique({ where: { seq }, select: { hash: true } });
    if (last?.hash !== hash) return broken(seq, "changed since it was verified");
  }
  const most = from.seq + MOST_ROWS;
  const last = ends.last ?? 0n;
  for await (const page of readChain(db, seq + 1n, last < most ? last : most))
    for (const row of page) {
      if (row.seq !== seq + 1n) return broken(seq + 1n, "missing");
      if (!follows(hash, row)) return broken(row.seq, "edited");
      ({ seq, hash } = row);
    }
  if (end !== null && seq < most && end > seq) return broken(end, "cut off the end");
  return { breaches: [], proven: { seq, hash } };
}

type Rows = { subject: string; detail: string }[];

async function planBreaches({ db }: Context): Promise<Breach[]> {
  const rows = await db.$queryRaw<Rows>`
    select 'plan ' || "id" as "subject", 'executed without an approval before' as "detail" from "RotationPlan"
    where ("executedAt" is not null or "approvalStatus" = 'EXECUTED')
      and ("approvalStatus" <> 'EXECUTED' or "executedAt" is null or "decidedById" is null or "decidedAt" is null or "decidedAt" > "executedAt")
    limit 20`;
  return rows.map((row) => ({ invariant: "I11", ...row }));
}

async function mailBreaches({ db }: Context): Promise<Breach[]> {
  const rows = await db.$queryRaw<Rows>`
    select 'mail ' || "id" as "subject", 'both sent and failed' as "detail" from "Outbox"
    where "sentAt" is not null and "failedAt" is not null limit 20`;
  return rows.map((row) => ({ invariant: "I13", ...row }));
}
