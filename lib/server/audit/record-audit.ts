import type { Actor } from "../context.ts";
import type { Prisma, Tx } from "../db.ts";
import { AUDIT_HEAD, AUDIT_LOCK, CHAIN_START, eventHash, headProof } from "./chain.ts";

export interface AuditEntry {
  at: Date;
  /** "SIGN_IN", "ACCOUNT_ADDED": a noun and what happened to it. */
  eventType: string;
  actor: Actor;
  /** Whose affair it is: the person sees it under "My Activity". */
  subjectUserId?: string;
  ipAddress?: string | null;
  requestId?: string;
  data: Prisma.InputJsonObject;
}

/**
 * Appends to the audit chain in the transaction of the change: both are there or neither. Writers take
 * turns from here to the end of their transaction, so call it last.
 */
export async function recordAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  await tx.$executeRaw`select pg_advisory_xact_lock(${AUDIT_LOCK}::bigint)`;
  const last = await tx.auditEvent.findFirst({ orderBy: { seq: "desc" }, select: { seq: true, hash: true } });
  const prevHash = last?.hash ?? CHAIN_START;
  const event = {
    seq: (last?.seq ?? 0n) + 1n,
    at: entry.at,
    eventType: entry.eventType,
    actorKind: entry.actor.kind,
    actorUserId: entry.actor.kind === "user" ? entry.actor.userId : null,
    subjectUserId: entry.subjectUserId ?? null,
    ipAddress: entry.ipAddress ?? null,
    requestId: entry.requestId ?? null,
    // What the database gives back is what was hashed: dates as text, nothing undefined.
    data: JSON.parse(
      JSON.stringify(entry.actor.kind === "system" ? { ...entry.data, by: entry.actor.name } : entry.data),
    ) as Prisma.InputJsonObject,
  };
  const hash = eventHash(prevHash, event);
  await tx.auditEvent.create({ data: { ...event, prevHash, hash } });
  const head = {
    owner: hash,
    beatAt: entry.at,
    detail: { seq: event.seq.toString(), proof: headProof(event.seq, hash) },
  };
  await tx.lease.upsert({ where: { name: AUDIT_HEAD }, create: { name: AUDIT_HEAD, ...head }, update: head });
}
