import type { Given } from "@/lib/contracts/endpoint.ts";
import type { usersApi } from "@/lib/contracts/users.ts";
import { newYork } from "@/lib/domain/time.ts";
import { streamOf, zipOf } from "../../archive.ts";
import { callFacts, recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { holdExport } from "../../core/hold-export.ts";
import { userFiles } from "./user-files.ts";

/**
 * Everything that is kept about the caller, as a zip of CSV files: made page by page while it is sent, one at a time
 * per person. Of broker keys it holds the first eight characters, of passwords and tokens nothing.
 */
export async function exportUserData(context: Context<"user">): Promise<Given<typeof usersApi.export>> {
  const { actor, db, now, request } = context;
  const { userId } = actor;
  const held = await holdExport(context, userId);
  const madeAt = now();
  try {
    await db.$transaction((tx) =>
      recordAudit(tx, {
        at: madeAt,
        eventType: "DATA_EXPORTED",
        ...callFacts({ actor, request }),
        subjectUserId: userId,
        data: {},
      }),
    );
  } catch (error) {
    await held.release();
    throw error;
  }
  const about = { product: "Tradewind", userId, madeAt: madeAt.toISOString() };
  const body = streamOf(zipOf(userFiles(context, userId, held), about, { madeAt }), held.release);
  return { fileName: `tradewind-data-${newYork(madeAt).date}.zip`, body };
}
