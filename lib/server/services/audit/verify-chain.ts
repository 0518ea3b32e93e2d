import { AUDIT_BOUNDS, type auditApi } from "@/lib/contracts/audit.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { readAnchors } from "../../audit/anchors.ts";
import { callFacts, recordAudit } from "../../audit/record-audit.ts";
import { verifyAudit, type AuditVerdict } from "../../audit/verify-audit.ts";
import type { Context } from "../../context.ts";
import { inTransaction } from "../../core/transaction.ts";

const LEASE = "audit-verify";
/** A verification that shows no end for this long is over, or its process is. */
const SILENT_MS = 60_000;

const PROBLEM_TEXT = {
  edited: "is not as it was written",
  missing: "is missing, while events on both sides of it are there",
  cut: "and all after it are gone",
  extra: "lies behind the end of the chain and was not written by Tradewind",
  rolled_back: "contradicts a head that was signed earlier: the chain was rolled back",
} as const;

function describeBreak({ seq, problem, anchor }: NonNullable<AuditVerdict["firstBad"]>): string {
  const which = anchor ? ` The head is that of event ${anchor.seq}, anchored at ${anchor.at.toISOString()}.` : "";
  return `Event ${seq} ${PROBLEM_TEXT[problem]}.${which}`;
}

/** Verifies a part of the chain and notes the result in it. In any process, one at a time. */
export async function verifyChain(
  context: Context<"admin">,
  { from = 1 }: Received<typeof auditApi.verify>,
): Promise<Given<typeof auditApi.verify>> {
  const { actor, db, log, now, request } = context;
  await hold(context);
  try {
    const startedAt = performance.now();
    const length = await lengthOf(db);
    if (from > Math.max(1, length)) {
      const message = `The audit trail has ${length} events.`;
      throw new Failure("invalid_input", message, { issues: [{ path: "from", message }] });
    }
    // Before the chain, which may grow meanwhile.
    const { heads, unreadable } = await readAnchors();
    const verdict = await verifyAudit(db, { from: BigInt(from), most: AUDIT_BOUNDS.verified, anchors: heads });
    const { ok, rows, firstBad, next, last } = verdict;
    const bad = firstBad && { seq: Number(firstBad.seq), problem: firstBad.problem };
    const at = now();
    if (firstBad) log.error("audit-chain.broken", { reason: describeBreak(firstBad) });
    const compared = heads.filter(({ seq }) => seq >= from && seq < from + rows).length;
    await inTransaction(context, (tx) =>
      recordAudit(tx, {
        at,
        eventType: "AUDIT_VERIFIED",
        ...callFacts({ actor, request }),
        data: { from, rows, isWhole: ok, ...(bad ? { brokenAt: bad.seq, problem: bad.problem } : {}) },
      }),
    );
    return {
      ok,
      from,
      rows,
      last: Number(last ?? length),
      next: next === undefined ? null : Number(next),
      firstBad: bad && firstBad ? { ...bad, text: describeBreak(firstBad) } : null,
      anchors: { compared, unreadable },
      verifiedAt: at,
      durationMs: Math.round(performance.now() - startedAt),
    };
  } finally {
    // Where the database is unavailable the hold expires by itself.
    await db.lease
      .deleteMany({ where: { name: LEASE, owner: request.id } })
      .catch((error: unknown) => log.warn("audit-verification.release-failed", { err: error }));
  }
}

async function lengthOf(db: Context["db"]): Promise<number> {
  const row = await db.auditEvent.findFirst({ orderBy: { seq: "desc" }, select: { seq: true } });
  return Number(row?.seq ?? 0n);
}

async function hold({ db, now, request }: Context): Promise<void> {
  const at = now();
  const taken = await db.$executeRaw`
    insert into "Lease" ("name", "owner", "beatAt") values (${LEASE}, ${request.id}, ${at}::timestamptz)
    on conflict ("name") do update set "owner" = excluded."owner", "beatAt" = excluded."beatAt"
    where "Lease"."beatAt" not between ${new Date(at.getTime() - SILENT_MS)}::timestamptz and ${new Date(at.getTime() + SILENT_MS)}::timestamptz`;
  if (taken === 0)
    throw new Failure("conflict", "The audit trail is already being verified. Please wait for it to finish.");
}
