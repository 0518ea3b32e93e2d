import { Failure } from "@/lib/domain/failures.ts";
import type { Context } from "../context.ts";

/** An export that shows no life for this long is over, or its process is. */
const SILENT_MS = 60_000;
const BEAT_EVERY_MS = 5_000;

export interface HeldExport {
  /** Shows life now and then. Throws when another export of the person has taken over. */
  beat(): Promise<void>;
  release(): Promise<void>;
}

/** One export at a time per person, in whatever process. Throws `conflict` while there is another. */
export async function holdExport({ db, log, now, request }: Context, userId: string): Promise<HeldExport> {
  const mine = { userId, requestId: request.id };
  const at = now();
  const taken = await db.$executeRaw`
    insert into "ExportHold" ("userId", "requestId", "beatAt") values (${userId}::uuid, ${request.id}, ${at}::timestamptz)
    on conflict ("userId") do update set "requestId" = excluded."requestId", "beatAt" = excluded."beatAt"
    where "ExportHold"."beatAt" < ${new Date(at.getTime() - SILENT_MS)}::timestamptz`;
  if (taken === 0) throw new Failure("conflict", "You already have an export running. Wait for it to finish.");
  let beatenMs = at.getTime();
  return {
    async beat() {
      const atMs = now().getTime();
      if (atMs - beatenMs < BEAT_EVERY_MS) return;
      beatenMs = atMs;
      const { count } = await db.exportHold.updateMany({ where: mine, data: { beatAt: new Date(atMs) } });
      if (count === 0) throw new Failure("conflict", "This export ended because you started another one.");
    },
    async release() {
      // Where the database is unavailable the hold expires by itself.
      await db.exportHold
        .deleteMany({ where: mine })
        .catch((error: unknown) => log.warn("export.release-failed", { err: error }));
    },
  };
}
