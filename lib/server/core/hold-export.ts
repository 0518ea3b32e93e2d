import { Failure } from "@/lib/domain/failures.ts";
import type { Context, SignedIn } from "../context.ts";
import type { Db } from "../db.ts";

/** An export that shows no life for this long is over, or its process is. */
const SILENT_MS = 60_000;
const BEAT_EVERY_MS = 5_000;

export interface HeldExport {
  /**
   * Asked before each page. Shows life now and then. Throws when the caller's sign-in or role was taken meanwhile, or when another
   * export of the person has taken over. A sign-in whose term runs out lets the file be finished.
   */
  beat(): Promise<void>;
  release(): Promise<void>;
}

/** One export at a time per person, in whatever process. Throws `conflict` while there is another. */
export async function holdExport(
  { actor, db, log, now, request }: Context<"user">,
  userId: string,
): Promise<HeldExport> {
  const mine = { userId, requestId: request.id };
  const at = now();
  const taken = await db.$executeRaw`
    insert into "ExportHold" ("userId", "requestId", "beatAt") values (${userId}::uuid, ${request.id}, ${at}::timestamptz)
    on conflict ("userId") do update set "requestId" = excluded."requestId", "beatAt" = excluded."beatAt"
    where "ExportHold"."beatAt" not between ${new Date(at.getTime() - SILENT_MS)}::timestamptz and ${new Date(at.getTime() + SILENT_MS)}::timestamptz`;
  if (taken === 0) throw new Failure("conflict", "You already have an export running. Wait for it to finish.");
  let beatenMs = at.getTime();
  return {
    async beat() {
      if (!(await isStillAllowed(db, actor)))
        throw new Failure("unauthenticated", "This export ended because your sign-in ended.");
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

/** Read from the database itself: a replica may not know yet what was revoked. */
async function isStillAllowed(db: Db, { userId, role, signInId }: SignedIn): Promise<boolean> {
  const holding = await db.user.count({
    where: {
      id: userId,
      disabledAt: null,
      ...(role === "ADMIN" ? { role } : {}),
      ...(signInId === null ? {} : { signIns: { some: { id: signInId, revokedAt: null } } }),
    },
  });
  return holding === 1;
}
