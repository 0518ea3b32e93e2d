import type { Prisma, Tx } from "../db.ts";
import { scrub } from "../json-lines.mjs";
import type { EnvironmentLabel } from "../rows.ts";

export interface Telling {
  userId: string;
  /** The same event is told once. */
  dedupeKey: string;
  /** Wall time; now when absent. */
  at?: Date;
  /** Market time of what happened; null for what has none. */
  marketAt?: Date | null;
  kind: Prisma.NotificationCreateManyInput["kind"];
  title: string;
  text: string;
  /** A page of the product, "/trade-history". */
  link?: string | null;
  environment?: EnvironmentLabel | null;
}

const TITLE_MAX = 200;
const TEXT_MAX = 1_000;

const clipped = ({ title, text, ...telling }: Telling) => ({
  ...telling,
  title: scrub(title).slice(0, TITLE_MAX),
  text: scrub(text).slice(0, TEXT_MAX),
});

/** Tells a person something in the product's pages, in the transaction of the event. False where it was told before. */
export async function tell(tx: Tx, telling: Telling): Promise<boolean> {
  const { count } = await tx.notification.createMany({ data: [clipped(telling)], skipDuplicates: true });
  return count > 0;
}

/** The same for what goes on: an order that fills in parts is one notification, unread again with each part. */
export async function tellAgain(tx: Tx, telling: Telling & { at: Date }): Promise<void> {
  const { userId, dedupeKey, ...said } = clipped(telling);
  await tx.notification.upsert({
    where: { userId_dedupeKey: { userId, dedupeKey } },
    create: { userId, dedupeKey, ...said },
    update: { ...said, readAt: null },
  });
}
