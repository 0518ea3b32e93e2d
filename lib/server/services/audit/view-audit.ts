import type { Given } from "@/lib/contracts/endpoint.ts";
import type { logsApi } from "@/lib/contracts/logs.ts";
import { auditText, auditTopic } from "@/lib/domain/audit-events.ts";
import type { AuditFacts } from "@/lib/domain/audit-phrases.ts";
import type { Db } from "../../db.ts";
import type { ActivityRow } from "./read-activity.ts";

export type AuditView = Given<typeof logsApi.audit>["auditLogs"][number];

/** Who looks: a person at what is theirs, or an administrator at everything. */
export interface Viewer {
  userId: string;
  isAdmin: boolean;
}

type Named = NonNullable<AuditView["user"]> & { id: string };

/** Rows of the trail as people read them: in words, with who did it and whom it concerns. */
export async function viewAudit(db: Db, rows: ActivityRow[], viewer: Viewer): Promise<AuditView[]> {
  const ids = rows.flatMap((row) => [row.actorUserId, row.subjectUserId]).filter((id) => id !== null);
  const [people, orders] = await Promise.all([
    db.user.findMany({
      where: { id: { in: [...new Set(ids)] } },
      select: { id: true, firstName: true, lastName: true, email: true, role: true },
    }),
    ordersOf(db, rows),
  ]);
  const personOf = new Map(people.map((person) => [person.id, person]));
  return rows.map((row) => {
    const facts = factsOf(row);
    const order = orders.get(String(facts.clientOrderId));
    const whose = personOf.get(row.subjectUserId ?? row.actorUserId ?? "");
    return {
      id: row.seq.toString(),
      timestamp: row.at,
      eventType: row.eventType,
      text: auditText(row.eventType, { ...order?.facts, ...facts }),
      topic: auditTopic(row.eventType),
      ipAddress: row.ipAddress,
      eventData: facts,
      closed: row.closed,
      actor: actorView(row, personOf, viewer),
      user: whose
        ? { firstName: whose.firstName, lastName: whose.lastName, email: whose.email, role: whose.role }
        : null,
      requestId: viewer.isAdmin ? row.requestId : null,
      // The page of a trade is its owner's.
      tradeId: viewer.isAdmin ? null : (order?.tradeId ?? null),
    };
  });
}

/** Facts and typed words together; the address stands beside them. */
function factsOf({ data, personal }: ActivityRow): AuditFacts {
  const { ipAddress: _, ...typed } = personal ?? {};
  return { ...(data as AuditFacts), ...typed };
}

function actorView(
  { actorKind, actorUserId }: ActivityRow,
  personOf: ReadonlyMap<string, Named>,
  { userId, isAdmin }: Viewer,
): AuditView["actor"] {
  if (actorKind === "system") return { kind: "system", name: "Tradewind" };
  if (actorUserId === null) return { kind: "anonymous", name: "Not signed in" };
  if (actorUserId === userId) return { kind: "self", name: "You" };
  if (!isAdmin) return { kind: "administrator", name: "An administrator" };
  const person = personOf.get(actorUserId);
  return {
    kind: person?.role === "ADMIN" ? "administrator" : "person",
    name: person ? `${person.firstName} ${person.lastName}` : "A deleted user",
  };
}

/** What the named orders were, for events that hold their id alone, and the trades that they became. */
async function ordersOf(db: Db, rows: ActivityRow[]) {
  const clientOrderIds = rows.flatMap(({ data }) => {
    const id = (data as AuditFacts).clientOrderId;
    return typeof id === "string" ? [id] : [];
  });
  if (clientOrderIds.length === 0) return new Map<string, never>();
  const intents = await db.intent.findMany({
    where: { clientOrderId: { in: [...new Set(clientOrderIds)] } },
    select: {
      clientOrderId: true,
      symbol: true,
      side: true,
      qty: true,
      purpose: true,
      reason: true,
      stopLossPrice: true,
      orders: { where: { parentId: null }, select: { id: true } },
    },
  });
  return new Map(
    intents.map(({ clientOrderId, symbol, side, qty, purpose, reason, stopLossPrice, orders }) => [
      clientOrderId,
      {
        facts: {
          symbol,
          side,
          qty: qty.toFixed(),
          purpose,
          decidedFor: reason,
          stopPrice: stopLossPrice?.toFixed() ?? null,
        },
        tradeId: orders.at(-1)?.id ?? null,
      },
    ]),
  );
}
