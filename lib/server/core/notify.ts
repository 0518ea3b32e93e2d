import type { Prisma, Tx } from "../db.ts";
import { queueDeliveries, renewDeliveries } from "./queue-deliveries.ts";
import { scrubSecrets } from "../json-lines.mjs";
import type { EnvironmentLabel } from "../rows.ts";

export interface UserNotification {
  userId: string;
  /** The same event is notified once. */
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
  /** Waits for no quiet hours, as nothing about the safety of a sign-in does. */
  isUrgent?: boolean;
}

const TITLE_MAX = 200;
const TEXT_MAX = 1_000;

/** At most so long, its end marked where it was cut; no character is cut in two. */
const shortened = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;

const clipped = ({ title, text, isUrgent: _, ...notification }: UserNotification) => ({
  ...notification,
  title: shortened(scrubSecrets(title), TITLE_MAX),
  text: shortened(scrubSecrets(text), TEXT_MAX),
});

/**
 * Notifies a user in the product's pages, by webhook and by push, in the transaction of the event. False where it was
 * notified before.
 */
export async function notify(tx: Tx, notification: UserNotification): Promise<boolean> {
  const [made] = await tx.notification.createManyAndReturn({ data: [clipped(notification)], skipDuplicates: true });
  if (made) await queueDeliveries(tx, made, isUrgent(notification));
  return made !== undefined;
}

/** The same for what continues: an order that fills in parts is one notification, unread again with each part. */
export async function renewNotification(tx: Tx, notification: UserNotification & { at: Date }): Promise<void> {
  const { userId, dedupeKey, ...said } = clipped(notification);
  const renewed = await tx.notification.upsert({
    where: { userId_dedupeKey: { userId, dedupeKey } },
    create: { userId, dedupeKey, ...said },
    update: { ...said, readAt: null },
  });
  await renewDeliveries(tx, renewed, isUrgent(notification));
}

const isUrgent = (notification: UserNotification) => notification.isUrgent === true || notification.kind === "SECURITY";
