import type { AuditEventType } from "@/lib/domain/audit-events.ts";
import type { Actor, Context } from "../context.ts";
import type { Prisma, Tx } from "../db.ts";
import { AUDIT_LOCK, CHAIN_START, eventHash, headProof } from "./chain.ts";
import { sealPersonalOf, type Personal } from "./personal.ts";

export interface AuditEntry {
  at: Date;
  /** "SIGNED_IN", "ACCOUNT_ADDED": a noun and what happened to it. */
  eventType: AuditEventType;
  actor: Actor;
  /** The user whom it concerns, who sees it under "My Activity". */
  subjectUserId?: string;
  ipAddress?: string | null;
  requestId?: string;
  /** Facts, for good: ids, amounts, reason codes. */
  data: Prisma.InputJsonObject;
  /** What people typed or are called. Sealed with the address under the subject's key; without a subject it stays with the facts. */
  personal?: Record<string, string | null>;
}

/** Who acted, from which address and in which call. */
export const callFacts = ({ actor, request }: Pick<Context, "request"> & { actor: Actor }) => ({
  actor,
  ipAddress: request.ipAddress,
  requestId: request.id,
});

/**
 * Appends to the audit chain in the transaction of the change: both are there or neither. Writers take
 * turns from here to the end of their transaction, so call it last.
 */
export async function recordAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  const end = await takeTurn(tx);
  const prevHash = end?.hash ?? CHAIN_START;
  const seq = (end?.seq ?? 0n) + 1n;
  const subjectUserId = entry.subjectUserId ?? null;
  const address = entry.ipAddress ?? null;
  const personalFields = entry.personal ?? {};
  const personal = await sealPersonalOf(tx, {
    seq,
    userId: subjectUserId,
    personal: present({ ipAddress: address, ...personalFields }),
  });
  const data = {
    ...entry.data,
    ...(subjectUserId === null ? personalFields : {}),
    ...actorFacts(entry.actor),
  };
  const event = {
    seq,
    at: entry.at,
    eventType: entry.eventType,
    actorKind: entry.actor.kind,
    actorUserId: entry.actor.kind === "user" ? entry.actor.userId : null,
    subjectUserId,
    ipAddress: subjectUserId === null ? address : null,
    requestId: entry.requestId ?? null,
    // What the database gives back is what was hashed: dates as text, nothing undefined.
    data: JSON.parse(JSON.stringify(data)) as Prisma.InputJsonObject,
    personal,
  };
  const hash = eventHash(prevHash, event);
  await append(tx, { ...event, prevHash, hash });
}

type Appended = Prisma.AuditEventUncheckedCreateInput & { seq: bigint };

/**
 * The event and the end of the chain in one statement: the next writer waits for every round trip. The application has no right on
 * the remembered end but this function, which moves it forward and never back.
 */
async function append(tx: Tx, event: Appended): Promise<void> {
  const { seq, at, eventType, actorKind, actorUserId, subjectUserId, ipAddress, requestId, personal } = event;
  const { data, prevHash, hash } = event;
  await tx.$executeRaw`
    with appended as (
      insert into "AuditEvent" ("seq", "at", "eventType", "actorKind", "actorUserId", "subjectUserId", "ipAddress", "requestId",
        "data", "prevHash", "hash", "personal")
      values (${seq}::bigint, ${at}::timestamptz, ${eventType}, ${actorKind}, ${actorUserId}::uuid, ${subjectUserId}::uuid,
        ${ipAddress}, ${requestId}, ${JSON.stringify(data)}::jsonb, ${prevHash}, ${hash}, ${personal})
    )
    select move_audit_head(${seq}::bigint, ${hash}, ${headProof(seq, hash)})`;
}

/**
 * Waits for the writer's turn and answers the end of the chain: the last event, or the remembered end where events behind it are
 * missing. The gap stays as evidence, and what has to be recorded, such as the stop that follows, is not refused for it.
 */
async function takeTurn(tx: Tx): Promise<{ seq: bigint; hash: string } | null> {
  const [end] = await tx.$queryRaw<{ seq: bigint; hash: string }[]>`
    select "seq", "hash" from take_audit_turn(${AUDIT_LOCK}::bigint)`;
  return end ?? null;
}

/** How the actor acted: a process by its name, a person's program by its access token. */
function actorFacts(actor: Actor): Prisma.InputJsonObject {
  if (actor.kind === "system") return { by: actor.name };
  if (actor.kind !== "user" || !actor.accessToken) return {};
  const { id, lastFour } = actor.accessToken;
  return { accessTokenId: id, accessTokenEnd: lastFour };
}

function present(values: Record<string, string | null>): Personal {
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== null));
}
