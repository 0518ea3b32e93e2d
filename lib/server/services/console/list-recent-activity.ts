import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { consoleApi } from "@/lib/contracts/console.ts";
import { ACTIVITY_ICONS } from "@/lib/domain/console.ts";
import type { Context } from "../../context.ts";
import { readTrail } from "../audit/read-activity.ts";
import { viewAudit } from "../audit/view-audit.ts";

/** The end of the audit trail in words, with who did it. */
export async function listRecentActivity(
  { actor, db }: Context<"admin">,
  { limit }: Received<typeof consoleApi.recentActivity>,
): Promise<Given<typeof consoleApi.recentActivity>> {
  const rows = await readTrail(db, { orderBy: { seq: "desc" }, take: limit });
  const seen = await viewAudit(db, rows, { userId: actor.userId, isAdmin: true });
  return {
    activities: seen.map(({ id, topic, text, actor: who, timestamp }) => ({
      id,
      icon: ACTIVITY_ICONS[topic],
      description: `${who.name}: ${text}`,
      timestamp,
    })),
  };
}
