import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { consoleApi } from "@/lib/contracts/console.ts";
import { ACTIVITY_ICONS } from "@/lib/domain/console.ts";
import type { AuditEventType, AuditTopic } from "@/lib/domain/audit-events.ts";
import type { Context } from "../../context.ts";
import { type ActivityRow, readTrail } from "../audit/read-activity.ts";
import { type AuditView, viewAudit } from "../audit/view-audit.ts";

/** Headings whose sentences speak of the person concerned ("Was disabled"); those of the others speak of who acted ("Decided to buy"). */
const OF_THE_SUBJECT: readonly AuditTopic[] = ["security", "accounts", "settings"];

/** Events under them that speak of who acted. */
const OF_THE_ACTOR: readonly AuditEventType[] = ["ACCOUNT_CLOSING", "ACCOUNT_REMOVED", "SECOND_FACTOR_REMOVED"];

/** The end of the audit trail in words, with who did it and whom it concerns. */
export async function listRecentActivity(
  { actor, db }: Context<"admin">,
  { limit }: Received<typeof consoleApi.recentActivity>,
): Promise<Given<typeof consoleApi.recentActivity>> {
  const { userId } = actor;
  const rows = await readTrail(db, { orderBy: { seq: "desc" }, take: limit });
  const seen = await viewAudit(db, rows, { userId, isAdmin: true });
  return {
    activities: seen.map((view, nth) => ({
      id: view.id,
      icon: ACTIVITY_ICONS[view.topic],
      description: describe(view, rows[nth]?.eventType, otherThanActor(rows[nth], view, userId)),
      timestamp: view.timestamp,
    })),
  };
}

/** Whom it concerns, where that is another than who acted. */
function otherThanActor(row: ActivityRow | undefined, { user }: AuditView, viewerId: string): string | null {
  if (row === undefined || row.subjectUserId === null || row.subjectUserId === row.actorUserId) return null;
  if (row.subjectUserId === viewerId) return "You";
  return user === null ? "A deleted user" : `${user.firstName} ${user.lastName}`;
}

function describe({ topic, text, actor }: AuditView, eventType: string | undefined, subject: string | null): string {
  if (subject === null) return `${actor.name}: ${text}`;
  const isOfActor = !OF_THE_SUBJECT.includes(topic) || OF_THE_ACTOR.some((type) => type === eventType);
  if (isOfActor) return `${actor.name}: ${text} (${subject})`;
  return `${subject}: ${text} (${actor.kind === "anonymous" ? "not signed in" : `by ${actor.name}`})`;
}
