import type { automationApi } from "@/lib/contracts/automation.ts";
import type { Given } from "@/lib/contracts/endpoint.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";

type Pause = Given<typeof automationApi.readPause>;

export async function readPause({ actor, db }: Context<"user">): Promise<Pause> {
  return pauseOf(db, actor.userId);
}

export async function pauseOf(db: Pick<Tx, "user">, id: string): Promise<Pause> {
  const { automationPausedAt, pausedReason } = await db.user.findUniqueOrThrow({
    where: { id },
    select: { automationPausedAt: true, pausedReason: true },
  });
  return { isPaused: automationPausedAt !== null, since: automationPausedAt, reason: pausedReason };
}
