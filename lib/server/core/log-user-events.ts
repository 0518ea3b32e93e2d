import type { LogLevelName } from "@/lib/domain/enums.ts";
import type { Prisma, Tx } from "../db.ts";
import { scrub } from "../log.ts";

export interface UserEvent {
  level: LogLevelName;
  /** One sentence for a person. */
  message: string;
  /** Whose event it is; null for what concerns a whole market. */
  userId: string | null;
  accountId?: string;
  cycleId?: string;
  /** Market time of what happened; null for what has none. */
  marketAt: Date | null;
  context?: Prisma.InputJsonObject;
}

const MESSAGE_MAX = 500;

/** Writes the automation's own events where their user reads them, in the transaction of what happened. */
export async function logUserEvents(tx: Pick<Tx, "logEvent">, events: UserEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.logEvent.createMany({
    data: events.map((event) => ({ ...event, message: scrub(event.message).slice(0, MESSAGE_MAX) })),
  });
}
