import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { logsApi } from "@/lib/contracts/logs.ts";
import { streamOf, zipOf } from "../../archive.ts";
import { callFacts, recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { accountsOfEnvironment } from "../../core/accounts-of-environment.ts";
import { holdExport } from "../../core/hold-export.ts";
import { reportFiles } from "./report-files.ts";

/**
 * reports.zip: what was traded and held in one environment and what was proven, as CSV, of the caller or, for
 * administrators, of all users. Made page by page while it is sent, one at a time per person.
 */
export async function exportReports(
  context: Context<"user">,
  { environment: wanted }: Received<typeof logsApi.export>,
): Promise<Given<typeof logsApi.export>> {
  const { actor, db, now, request } = context;
  const { userId } = actor;
  const isAdmin = actor.role === "ADMIN";
  const { environment, environments, accounts } = await accountsOfEnvironment(context, wanted, {
    isOfAll: isAdmin,
    hasRemoved: true,
  });
  const held = await holdExport(context, userId);
  const madeAt = now();
  const scope = isAdmin ? "all" : "own";
  try {
    await db.$transaction((tx) =>
      recordAudit(tx, {
        at: madeAt,
        eventType: "REPORTS_EXPORTED",
        ...callFacts({ actor, request }),
        subjectUserId: userId,
        data: { scope, environment },
      }),
    );
  } catch (error) {
    await held.release();
    throw error;
  }
  const about = {
    product: "Tradewind",
    report: "reports",
    scope,
    environment,
    environments,
    userId,
    madeAt: madeAt.toISOString(),
  };
  const files = reportFiles(context, { viewer: { userId, isAdmin }, accountIds: accounts.map(({ id }) => id), held });
  return {
    fileName: "reports.zip",
    body: streamOf(zipOf(files, about, { madeAt }), held.release),
  };
}
