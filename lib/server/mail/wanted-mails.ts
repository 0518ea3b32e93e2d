import type { UnsubscribeKind } from "@/lib/contracts/notifications.ts";
import type { QuietHours } from "@/lib/domain/quiet-hours.ts";
import type { Tx } from "../db.ts";

/** The kinds of mail that a user may switch off; each kind has a toggle, and all mails together have one. */
export type MailKind = Exclude<UnsubscribeKind, "activity">;

/** The toggles behind each kind that a link can switch off. */
export const TOGGLES = {
  orders: ["orderNotifications"],
  trades: ["tradeNotifications"],
  activity: ["orderNotifications", "tradeNotifications"],
  weekly: ["weeklySummary"],
  alerts: ["systemAlerts"],
} as const satisfies Record<UnsubscribeKind, readonly string[]>;

const KINDS = ["orders", "trades", "weekly", "alerts"] as const satisfies readonly MailKind[];

type Preferences = Record<"emailNotifications" | (typeof TOGGLES)[UnsubscribeKind][number], boolean>;

/**
 * What a person with these preferences wants to be notified of, by mail or in the product's pages; the toggle for all mails is
 * about mails alone. Without a row everything stands at its default: on.
 */
export function wantedKinds(preferences: Preferences | null, where: "mail" | "pages" = "mail"): ReadonlySet<MailKind> {
  if (preferences === null) return new Set(KINDS);
  if (where === "mail" && !preferences.emailNotifications) return new Set();
  return new Set(KINDS.filter((kind) => TOGGLES[kind].every((toggle) => preferences[toggle])));
}

/** The quiet hours of a row of preferences; null where there are none. */
export function quietHoursOf(
  preferences: { quietFrom: number | null; quietTo: number | null; quietTimeZone: string | null } | null,
): QuietHours | null {
  const { quietFrom: from = null, quietTo: to = null, quietTimeZone: timeZone = null } = preferences ?? {};
  return from === null || to === null || timeZone === null ? null : { from, to, timeZone };
}

export interface Wishes {
  wants: ReadonlySet<MailKind>;
  quiet: QuietHours | null;
}

/** What a stored user wants, and when; disabled users get nothing that can be switched off. */
export async function readWishes(db: Pick<Tx, "user">, userId: string, where: "mail" | "pages"): Promise<Wishes> {
  const user = await db.user.findUnique({
    where: { id: userId },
    select: { disabledAt: true, notificationPreferences: true },
  });
  if (user === null || user.disabledAt !== null) return { wants: new Set(), quiet: null };
  const { notificationPreferences: preferences } = user;
  return { wants: wantedKinds(preferences, where), quiet: quietHoursOf(preferences) };
}
