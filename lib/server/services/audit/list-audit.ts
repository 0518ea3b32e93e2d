import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { logsApi } from "@/lib/contracts/logs.ts";
import { auditEventsOf } from "@/lib/domain/audit-events.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { Context } from "../../context.ts";
import type { Prisma } from "../../db.ts";
import { filterOf } from "./audit-filter.ts";
import { asSeenBy, readTrail } from "./read-activity.ts";
import { viewAudit } from "./view-audit.ts";

type Query = Received<typeof logsApi.audit>;
type Page = Given<typeof logsApi.audit>;

/** What is proven about the caller, newest first. */
export async function listAudit(context: Context<"user">, query: Query): Promise<Page> {
  return pageOfAudit(context, query, { subjectUserId: context.actor.userId });
}

/** The whole trail, for administrators, as it is filtered. */
export async function listAllAudit(context: Context<"admin">, query: Received<typeof logsApi.auditAll>): Promise<Page> {
  return pageOfAudit(context, query, null, await filterOf(context.db, query));
}

async function pageOfAudit(
  { actor, db }: Context<"user">,
  { topic, cursor, limit }: Query,
  own: Prisma.AuditEventWhereInput | null,
  filters: Prisma.AuditEventWhereInput[] = [],
): Promise<Page> {
  const { userId } = actor;
  const where: Prisma.AuditEventWhereInput = {
    ...own,
    ...(topic ? { eventType: { in: auditEventsOf(topic) } } : {}),
    ...(filters.length > 0 ? { AND: filters } : {}),
  };
  const [found, totalEvents] = await Promise.all([
    readTrail(db, {
      where: cursor === undefined ? where : { ...where, seq: { lt: readPlace(cursor) } },
      orderBy: { seq: "desc" },
      take: limit + 1,
    }),
    own === null && topic === undefined && filters.length === 0 ? lengthOfTrail(db) : db.auditEvent.count({ where }),
  ]);
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const seen = own === null ? page : page.map((row) => asSeenBy(userId, row));
  return {
    auditLogs: await viewAudit(db, seen, { userId, isAdmin: own === null }),
    summary: { totalEvents },
    pagination: { nextCursor: found.length > limit && last ? last.seq.toString() : null, limit },
  };
}

/** The chain has no gaps: its last number is its length, and nothing is counted. */
async function lengthOfTrail(db: Context["db"]): Promise<number> {
  const last = await db.auditEvent.findFirst({ orderBy: { seq: "desc" }, select: { seq: true } });
  return Number(last?.seq ?? 0n);
}

/** Throws `invalid_input` on text that no list gave. */
function readPlace(cursor: string): bigint {
  if (!/^\d{1,18}$/.test(cursor)) {
    const message = "This page cannot be found. Load the list again.";
    throw new Failure("invalid_input", message, { issues: [{ path: "cursor", message }] });
  }
  return BigInt(cursor);
}
