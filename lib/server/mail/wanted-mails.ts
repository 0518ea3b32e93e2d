import type { UnsubscribeKind } from "@/lib/contracts/notifications.ts";
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
 * What a person with these preferences wants to hear of, by mail or in the product's pages; the toggle for all mails is
 * about mails alone. Without a row everything stands at its default: on.
 */
export function wantedKinds(preferences: Preferences | null, where: "mail" | "pages" = "mail"): ReadonlySet<MailKind> {
  if (preferences === null) return new Set(KINDS);
  if (where === "mail" && !preferences.emailNotifications) return new Set();
  return new Set(KINDS.filter((kind) => TOGGLES[kind].every((toggle) => preferences[toggle])));
}

/** The same of a stored user; disabled users get no such mails. */
export async function readWantedKinds(db: Pick<Tx, "user">, userId: string): Promise<ReadonlySet<MailKind>> {
  const user = await db.user.findUnique({
    where: { id: userId },
    select: { disabledAt: true, notificationPreferences: true },
  });
  return user === null || user.disabledAt !== null ? new Set() : wantedKinds(user.notificationPreferences);
}
