import { accountErasedMail } from "@/emails/account-erased.tsx";
import { activityMail } from "@/emails/activity.tsx";
import type { Reason } from "@/emails/frame.tsx";
import { newSignInMail } from "@/emails/new-sign-in.tsx";
import { passwordChangedMail } from "@/emails/password-changed.tsx";
import { resetPasswordMail } from "@/emails/reset-password.tsx";
import { systemAlertMail } from "@/emails/system-alert.tsx";
import type { Mail } from "@/emails/to-mail.ts";
import { verifyEmailMail } from "@/emails/verify-email.tsx";
import { wrongPasswordMail } from "@/emails/wrong-password.tsx";
import { weeklySummaryMail } from "@/emails/weekly-summary.tsx";
import { UNSUBSCRIBE_LABELS, type UnsubscribeKind } from "@/lib/contracts/notifications.ts";
import { addDays } from "@/lib/domain/time.ts";
import { weekAddress } from "@/lib/domain/weeks.ts";
import { env } from "../env.ts";
import { emailToken } from "../secrets/email-token.ts";
import { ordersIn, tradesIn } from "./activity-view.ts";
import { mailProps } from "./mail-props.ts";
import { writeUnsubscribeToken } from "./unsubscribe-token.ts";
import { wantedKinds, type MailKind } from "./wanted-mails.ts";

/** To whom a mail goes: it decides what may be in it, and what its links switch off. */
export interface MailReader {
  userId: string | null;
  wants: ReadonlySet<MailKind>;
}

export interface RenderedMail extends Mail {
  /** Where a mail program's own button switches such mails off; null for a mail that always goes. */
  unsubscribeUrl: string | null;
  /** It waits for no quiet hours. */
  isUrgent: boolean;
}

const UNKNOWN_READER: MailReader = { userId: null, wants: wantedKinds(null) };

/**
 * A row of the outbox as a mail, or null when its reader wants none of what is in it. Throws when the row holds no
 * known template or other props than it needs.
 */
export async function renderMail(template: string, props: unknown): Promise<RenderedMail>;
export async function renderMail(template: string, props: unknown, reader: MailReader): Promise<RenderedMail | null>;
export async function renderMail(
  template: string,
  props: unknown,
  reader: MailReader = UNKNOWN_READER,
): Promise<RenderedMail | null> {
  const { APP_BASE_URL: base, SUPPORT_EMAIL: supportEmail } = env();
  switch (template) {
    case "verify-email": {
      const { emailTokenId } = mailProps["verify-email"].parse(props);
      const link = `${base}/auth/verify-success?token=${emailToken("VERIFY_EMAIL", emailTokenId)}`;
      return always(verifyEmailMail({ link, supportEmail }));
    }
    case "reset-password": {
      const { firstName, emailTokenId, validFor = "30 minutes" } = mailProps["reset-password"].parse(props);
      const link = `${base}/auth/reset-password?token=${emailToken("RESET_PASSWORD", emailTokenId)}`;
      return always(resetPasswordMail({ firstName, link, validFor, supportEmail }));
    }
    case "password-changed": {
      const { firstName, changedAt } = mailProps["password-changed"].parse(props);
      return always(passwordChangedMail({ firstName, changedAt, link: `${base}/auth`, supportEmail }));
    }
    case "account-erased": {
      const { firstName, erasedAt } = mailProps["account-erased"].parse(props);
      return always(accountErasedMail({ firstName, erasedAt, link: `${base}/auth`, supportEmail }));
    }
    case "new-sign-in": {
      const signIn = mailProps["new-sign-in"].parse(props);
      return always(newSignInMail({ ...signIn, link: `${base}/settings?tab=security`, supportEmail }));
    }
    case "wrong-password": {
      const failed = mailProps["wrong-password"].parse(props);
      return always(wrongPasswordMail({ ...failed, link: `${base}/settings?tab=security`, supportEmail }));
    }
    case "activity":
      return activity(mailProps.activity.parse(props), reader);
    case "weekly-summary": {
      const { weekEnd, blocks: weeks, firstName } = mailProps["weekly-summary"].parse(props);
      const blocks = weeks.map((block) => ({ ...block, link: `${base}${weekAddress(block)}` }));
      if (!reader.wants.has("weekly")) return null;
      const why = "You get this email on Saturdays after a week in which something happened in your accounts.";
      return bound("weekly", why, reader, (reason) =>
        weeklySummaryMail({ firstName, blocks, week: weekText(weekEnd), supportEmail, reason }),
      );
    }
    case "system-alert": {
      const { link, account = null, urgency, ...rest } = mailProps["system-alert"].parse(props);
      const why = "You get this email because system alerts are switched on in your settings.";
      const href = link && { label: link.label, href: `${base}${link.path}` };
      const alert = (reason: Reason | null) => systemAlertMail({ ...rest, account, link: href, supportEmail, reason });
      if (urgency === "security") return always(alert(null));
      if (!reader.wants.has("alerts")) return null;
      return { ...(await bound("alerts", why, reader, alert)), isUrgent: urgency === "urgent" };
    }
    default:
      throw new Error(`no such mail template: ${template}`);
  }
}

/** Orders and trades travel together; each part only for those who want it. */
async function activity(
  { firstName, account, items }: ReturnType<(typeof mailProps)["activity"]["parse"]>,
  reader: MailReader,
): Promise<RenderedMail | null> {
  const { APP_BASE_URL: base, SUPPORT_EMAIL: supportEmail } = env();
  const trades = reader.wants.has("trades") ? tradesIn(items, base) : [];
  const orders = reader.wants.has("orders") ? ordersIn(items, base) : [];
  if (trades.length + orders.length === 0) return null;
  const kind = trades.length === 0 ? "orders" : orders.length === 0 ? "trades" : "activity";
  const why = `You get this email because ${UNSUBSCRIBE_LABELS[kind]} are switched on in your settings.`;
  return bound(kind, why, reader, (reason) =>
    activityMail({ firstName, account, trades, orders, link: `${base}/trade-history`, supportEmail, reason }),
  );
}

async function always(mail: Promise<Mail>): Promise<RenderedMail> {
  return { ...(await mail), unsubscribeUrl: null, isUrgent: true };
}

/** A mail that its reader can switch off: its unsubscribe links are made here alone. */
async function bound(
  kind: UnsubscribeKind,
  why: string,
  { userId }: MailReader,
  make: (reason: Reason) => Promise<Mail>,
): Promise<RenderedMail> {
  const base = env().APP_BASE_URL;
  const settings = `${base}/settings?tab=notifications`;
  if (userId === null) return always(make({ why, switches: [], settings }));
  const pageOf = (one: UnsubscribeKind) => `${base}/unsubscribe?token=${writeUnsubscribeToken(one, userId)}`;
  const parts: UnsubscribeKind[] = kind === "activity" ? ["orders", "trades"] : [kind];
  const switches = parts.map((one) => ({ label: `Stop ${UNSUBSCRIBE_LABELS[one]}`, href: pageOf(one) }));
  return {
    ...(await make({ why, switches, settings })),
    unsubscribeUrl: `${base}/api/v1/notifications/unsubscribe/one-click?token=${writeUnsubscribeToken(kind, userId)}`,
    isUrgent: false,
  };
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** "14 Nov – 20 Nov 2026": the week that ended with the Friday before this Saturday. */
export function weekText(weekEnd: string): string {
  const day = (date: string) => `${Number(date.slice(8))} ${MONTHS[Number(date.slice(5, 7)) - 1]}`;
  const last = addDays(weekEnd, -1);
  return `${day(addDays(weekEnd, -7))} – ${day(last)} ${last.slice(0, 4)}`;
}
