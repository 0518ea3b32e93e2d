import type { Received } from "@/lib/contracts/endpoint.ts";
import type { logsApi } from "@/lib/contracts/logs.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { addDays, newYorkInstant } from "@/lib/domain/time.ts";
import { likeLiteral } from "../../core/like-literal.ts";
import type { Db, Prisma } from "../../db.ts";

/** People whose events are looked for together. */
const MOST_PEOPLE = 200;

/** What the trail is filtered by, beside its topic. Throws `invalid_input` at the field that is wrong. */
export async function filterOf(
  db: Db,
  { eventType, actor, person, from, to, requestId }: Received<typeof logsApi.auditAll>,
): Promise<Prisma.AuditEventWhereInput[]> {
  if (from !== undefined && to !== undefined && from > to) refuse("to", "The last day must not lie before the first.");
  const people = person === undefined ? null : await peopleLike(db, person);
  return [
    ...(eventType === undefined ? [] : [{ eventType }]),
    ...(actor === undefined ? [] : [{ actorKind: actor }]),
    ...(people === null ? [] : [{ OR: [{ subjectUserId: { in: people } }, { actorUserId: { in: people } }] }]),
    ...(from === undefined ? [] : [{ at: { gte: new Date(newYorkInstant(from, 0, 0)) } }]),
    ...(to === undefined ? [] : [{ at: { lt: new Date(newYorkInstant(addDays(to, 1), 0, 0)) } }]),
    ...(requestId === undefined ? [] : [{ requestId }]),
  ];
}

async function peopleLike(db: Db, part: string): Promise<string[]> {
  const found = await db.user.findMany({
    where: { email: { contains: likeLiteral(part.toLowerCase()) } },
    select: { id: true },
    take: MOST_PEOPLE + 1,
  });
  if (found.length > MOST_PEOPLE)
    refuse("person", `More than ${MOST_PEOPLE} people match: type more of the email address.`);
  return found.map(({ id }) => id);
}

function refuse(path: string, message: string): never {
  throw new Failure("invalid_input", message, { issues: [{ path, message }] });
}
