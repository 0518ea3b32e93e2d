/**
 * What each event of the audit trail says to a person, and under which heading it is found. A test compares these names
 * with the ones that the code writes.
 */
import { shareText } from "./canary.ts";
import {
  type AuditFacts,
  ANSWERED,
  answered,
  because,
  changedFields,
  decided,
  fact,
  factor,
  flag,
  isGranted,
  killText,
  named,
  order,
  outageText,
  practiceClock,
  sessionOf,
  tested,
  theOrder,
  theStop,
  where,
} from "./audit-phrases.ts";

export const AUDIT_TOPICS = ["security", "accounts", "orders", "settings", "system"] as const;
export type AuditTopic = (typeof AUDIT_TOPICS)[number];

export const AUDIT_TOPIC_TEXT: Record<AuditTopic, string> = {
  security: "Sign-in and security",
  accounts: "Accounts",
  orders: "Orders",
  settings: "Settings",
  system: "System",
};

interface AuditEventKind {
  topic: AuditTopic;
  text: string | ((facts: AuditFacts) => string);
}

// oxfmt-ignore
export const AUDIT_EVENTS = {
  USER_REGISTERED: { topic: "security", text: "Registered" },
  USER_CREATED: { topic: "security", text: "The user was created by the operator" },
  USER_PROMOTED: { topic: "security", text: "Became an administrator; all sign-ins ended" },
  USER_DEMOTED: { topic: "security", text: (facts) => `Is no longer an administrator; all sign-ins ended${because(facts)}` },
  ROLE_CHANGE_REQUESTED: { topic: "security", text: (facts) => `A second administrator has to confirm ${facts.role === "ADMIN" ? "a new administrator" : "that a role is taken away"}${because(facts)}` },
  ACCESS_CHANGE_REQUESTED: { topic: "security", text: (facts) => `A second administrator has to confirm that an administrator is ${facts.change === "enable" ? "enabled again" : "disabled"}${because(facts)}` },
  USER_DISABLED: { topic: "security", text: (facts) => `Was disabled: all sign-ins ended, nothing is bought; exits and stops keep working${because(facts)}` },
  USER_ENABLED: { topic: "security", text: (facts) => `Was enabled again${because(facts)}` },
  SIGN_INS_ENDED: { topic: "security", text: (facts) => `All sign-ins were ended by an administrator${because(facts)}` },
  EMAIL_VERIFIED: { topic: "security", text: "Verified the email address" },
  SIGNED_IN: { topic: "security", text: "Signed in" },
  SIGN_IN_FAILED: { topic: "security", text: "A sign-in was refused: wrong email or password" },
  SIGNED_OUT: { topic: "security", text: "Signed out" },
  SECOND_FACTOR_ADDED: { topic: "security", text: (facts) => `Added ${factor(facts)}` },
  SECOND_FACTOR_REMOVED: { topic: "security", text: (facts) => `Removed ${factor(facts)}` },
  SECOND_FACTOR_FAILED: { topic: "security", text: (facts) => `A sign-in was refused: ${facts.isUsedCode === true ? "the code was already used" : "wrong second factor"}` },
  RECOVERY_CODES_RENEWED: { topic: "security", text: "Renewed the recovery codes" },
  RECOVERY_CODE_USED: { topic: "security", text: (facts) => `Used a recovery code${fact(facts, "left") === null ? "" : `; ${fact(facts, "left")} left`}` },
  IDENTITY_CONFIRMED: { topic: "security", text: "Confirmed their identity" },
  STEP_UP_FAILED: { topic: "security", text: (facts) => `A confirmation was refused: ${facts.isUsedCode === true ? "the code was already used" : "wrong password or second factor"}` },
  OWN_SIGN_INS_ENDED: { topic: "security", text: (facts) => (fact(facts, "ended") === "1" ? "Ended a sign-in" : `Ended ${fact(facts, "ended") ?? "their"} sign-ins`) },
  ACCESS_TOKEN_MADE: { topic: "security", text: (facts) => `Made an access token that may ${facts.scope === "STEER" ? "read and control trading" : "read"}${fact(facts, "end") === null ? "" : `: …${fact(facts, "end")}`}` },
  ACCESS_TOKEN_REVOKED: { topic: "security", text: (facts) => `Revoked an access token${fact(facts, "end") === null ? "" : `: …${fact(facts, "end")}`}` },
  PASSWORD_CHANGED: { topic: "security", text: "Changed the password; all other sign-ins ended" },
  PASSWORD_CHANGE_FAILED: { topic: "security", text: "A change of the password was refused: the email or the current password was wrong" },
  PASSWORD_RESET_REQUESTED: { topic: "security", text: "Asked for a link to reset the password" },
  PASSWORD_RESET: { topic: "security", text: "Set a new password with an emailed link; all sign-ins ended" },
  PASSWORD_RESET_BY_OPERATOR: { topic: "security", text: "The operator set a new password; all sign-ins ended" },
  DATA_EXPORTED: { topic: "security", text: "Exported all data of this user" },
  REPORTS_EXPORTED: { topic: "security", text: (facts) => (facts.scope === "all" ? "Exported the reports of all users" : "Exported the reports") },
  TRADES_EXPORTED: { topic: "security", text: (facts) => (facts.scope === "all" ? "Exported the trades of all users" : "Exported the trades") },
  USER_ERASURE_REFUSED: { topic: "security", text: "Erasing this user was refused: wrong password" },
  USER_ERASURE_STARTED: { topic: "security", text: "Asked to delete the user account: automation stopped" },
  USER_ERASED: { topic: "security", text: "The user's personal data was erased" },

  ACCOUNT_ADDED: { topic: "accounts", text: (facts) => `Connected an account${where(facts)}${isGranted(facts) ? ", by access granted there" : ""}` },
  ACCOUNT_CONNECTED_AGAIN: { topic: "accounts", text: (facts) => `Connected an account${where(facts)} again: new access replaced the old one` },
  LIVE_CONFIRMED: { topic: "accounts", text: "Allowed an account to trade with real money" },
  ACCOUNT_PAUSED: { topic: "accounts", text: (facts) => `Paused an account${because(facts)}` },
  ACCOUNT_UNPAUSED: { topic: "accounts", text: "Resumed a paused account" },
  ACCOUNT_CLOSING: { topic: "accounts", text: "Asked to delete an account: its positions are sold first" },
  ACCOUNT_REMOVED: { topic: "accounts", text: (facts) => `Deleted an account${where(facts)}${facts.isReplayed === true ? " again, after a backup from before its deletion was restored" : ""}; ${isGranted(facts) ? "the access to it is" : "its keys are"} ${facts.areKeysKept === true ? "kept, for reading only, until its shares are sold" : "erased"}` },
  ACCOUNT_KEYS_ERASED: { topic: "accounts", text: (facts) => `${isGranted(facts) ? "The access to a deleted account was" : "The keys of a deleted account were"} erased${because(facts)}` },
  ACCOUNT_KEYS_ACCEPTED: { topic: "accounts", text: (facts) => (isGranted(facts) ? "Alpaca accepts Tradewind's access to the account again" : "The broker accepts the account's keys again") },
  ACCOUNT_HALTED: { topic: "accounts", text: (facts) => `The account was halted${because(facts)}` },
  ACCOUNT_LATCHED: { topic: "accounts", text: (facts) => `The account only reduces its positions${because(facts)}` },
  ACCOUNT_RESUMED: { topic: "accounts", text: (facts) => `The account was resumed${because(facts)}` },
  AUTOMATION_PAUSED: { topic: "accounts", text: (facts) => `Paused automation; exits and stops keep working${because(facts)}` },
  AUTOMATION_RESUMED: { topic: "accounts", text: "Resumed automation" },
  KILL_STATE_SET: { topic: "accounts", text: killText("The account now") },
  USER_KILL_STATE_SET: { topic: "accounts", text: killText("Every account of the user now") },
  CASH_FLOW_CORRECTED: { topic: "accounts", text: (facts) => `The broker corrected an amount${fact(facts, "symbol") === null ? "" : ` of ${fact(facts, "symbol")}`}: ${fact(facts, "before") ?? "?"} became ${fact(facts, "after") ?? "?"}` },
  SESSION_RECONCILED: { topic: "accounts", text: (facts) => `Positions, orders and cash of ${sessionOf(facts, "session")} ${facts.isClean === true ? "agree with the broker's" : "differ from the broker's"}` },

  SALE_REQUESTED: { topic: "orders", text: (facts) => `Asked to sell ${fact(facts, "qty") ?? "all"} ${fact(facts, "symbol") ?? "shares"} by hand` },
  STOP_RAISE_REQUESTED: { topic: "orders", text: (facts) => `Asked by hand to raise ${theStop(facts)}` },
  ORDER_DECIDED: { topic: "orders", text: decided },
  STOP_RAISE_SENT: { topic: "orders", text: (facts) => `The broker was asked to raise ${theStop(facts)}` },
  STOP_RAISED: { topic: "orders", text: (facts) => `The broker raised ${theStop(facts)}` },
  STOP_RAISE_FAILED: { topic: "orders", text: (facts) => `The broker did not raise ${theStop(facts)}${because(facts)}` },
  ORDER_SENT: { topic: "orders", text: (facts) => `${theOrder(facts)} went to the broker` },
  ORDER_STOPPED: { topic: "orders", text: (facts) => `${theOrder(facts)} was stopped before it was sent${because(facts)}` },
  ORDER_ANSWERED: { topic: "orders", text: answered },
  ORDER_PARKED: { topic: "orders", text: (facts) => `${theOrder(facts)} ${ANSWERED.PARKED}` },
  ORDER_EXPIRED_UNSENT: { topic: "orders", text: (facts) => `${theOrder(facts)} never reached the broker and is over${because(facts)}` },
  ORDER_RESOLVED: { topic: "orders", text: (facts) => `An administrator settled the outcome of an order${because(facts)}` },
  ORDERS_INTERRUPTED: { topic: "orders", text: (facts) => `Sending was interrupted; the broker is asked about ${fact(facts, "count") ?? "the"} order${fact(facts, "count") === "1" ? "" : "s"}` },
  BROKER_BOOKS_TAKEN: { topic: "orders", text: (facts) => `An administrator took over the broker's positions and cash${because(facts)}` },
  ACTIVITY_BOOKED: { topic: "orders", text: (facts) => `An administrator booked what the broker reported${fact(facts, "type") === null ? "" : `: ${fact(facts, "type")}`}` },
  ACTIVITY_DISMISSED: { topic: "orders", text: (facts) => `An administrator dismissed what the broker reported${fact(facts, "type") === null ? "" : `: ${fact(facts, "type")}`}` },
  ORDER_CLOSED_UNKNOWN: { topic: "orders", text: (facts) => `An administrator closed an order that the broker does not know${order(facts) === null ? "" : `: ${order(facts)}`}` },
  EXECUTION_CORRECTED: { topic: "orders", text: (facts) => `The broker corrected an execution${fact(facts, "symbol") === null ? "" : ` of ${fact(facts, "symbol")}`}` },

  TRADING_PREFERENCES_CHANGED: { topic: "settings", text: (facts) => `Changed trading preferences${changedFields(facts)}` },
  QUIET_HOURS_CHANGED: { topic: "settings", text: (facts) => (fact(facts, "timeZone") === null ? "Switched the quiet hours off" : "Changed the quiet hours") },
  WEBHOOK_SET: { topic: "settings", text: (facts) => `Set up a webhook for notifications${fact(facts, "host") === null ? "" : ` at ${fact(facts, "host")}`}` },
  WEBHOOK_REMOVED: { topic: "settings", text: "Removed the webhook for notifications" },
  WEBHOOK_SECRET_ROTATED: { topic: "settings", text: "Rotated the webhook's secret" },
  WEBHOOK_DISABLED: { topic: "settings", text: (facts) => `The webhook for notifications was switched off${because(facts)}` },
  PUSH_SUBSCRIBED: { topic: "settings", text: (facts) => `Switched notifications on in ${fact(facts, "label") ?? "a browser"}` },
  PUSH_UNSUBSCRIBED: { topic: "settings", text: (facts) => `Switched notifications off in ${fact(facts, "label") ?? "a browser"}` },
  NOTIFICATION_PREFERENCES_CHANGED: { topic: "settings", text: "Changed notification preferences" },
  PROFILE_CHANGED: { topic: "settings", text: (facts) => `Changed the profile${changedFields(facts)}` },
  MAILS_SWITCHED_OFF: { topic: "settings", text: "Switched emails off with the link in an email" },

  FEATURE_FLAG_CREATED: { topic: "system", text: (facts) => `Created ${flag(facts)}` },
  FEATURE_FLAG_SWITCHED: { topic: "system", text: (facts) => `${facts.enabled === true ? "Enabled" : "Disabled"} ${flag(facts)}` },
  FEATURE_FLAG_DELETED: { topic: "system", text: (facts) => `Deleted ${flag(facts)}` },
  RATE_LIMIT_CREATED: { topic: "system", text: (facts) => `Created ${named("the rate limit", fact(facts, "name"))}` },
  RATE_LIMIT_CHANGED: { topic: "system", text: (facts) => `Changed ${named("the rate limit", fact(facts, "name"))}` },
  RATE_LIMIT_SWITCHED: { topic: "system", text: (facts) => `${facts.enabled === true ? "Enabled" : "Disabled"} ${named("the rate limit", fact(facts, "name"))}` },
  RATE_LIMIT_DELETED: { topic: "system", text: (facts) => `Deleted ${named("the rate limit", fact(facts, "name"))}` },
  QUEUE_SWITCHED: { topic: "system", text: (facts) => (facts.active === true ? "Made the job queue active" : "Made the job queue inactive: workers start no job") },
  PRACTICE_CLOCK_CHANGED: { topic: "system", text: (facts) => `${practiceClock(facts)}${because(facts)}` },
  PRACTICE_CLOCK_REFUSED: { topic: "system", text: (facts) => `The practice market did not accept the change: ${practiceClock(facts)}` },
  PRACTICE_CLOCK_UNKNOWN: { topic: "system", text: (facts) => `It is not known whether the practice market took the change: ${practiceClock(facts)}` },
  JOBS_RETRIED: { topic: "system", text: (facts) => `Asked for ${facts.all === true ? "all failed jobs" : named("the job", fact(facts, "jobId"))} to run again` },
  AUDIT_VERIFIED: { topic: "system", text: (facts) => (facts.isWhole === false ? `Verified the audit trail: event ${fact(facts, "brokenAt") ?? "?"} is wrong` : facts.rows === 1 ? "Verified 1 event of the audit trail: it is as it was written" : `Verified ${fact(facts, "rows") ?? "the"} events of the audit trail: each is as it was written`) },
  AUDIT_EXPORTED: { topic: "system", text: "Exported the audit trail" },
  POLICY_DRAFT_CREATED: { topic: "system", text: (facts) => `Began policy draft ${fact(facts, "version") ?? "?"} from ${fact(facts, "basedOn") ?? "another version"}` },
  POLICY_DRAFT_EDITED: { topic: "system", text: (facts) => `Edited policy draft ${fact(facts, "version") ?? "?"}` },
  POLICY_DRAFT_DELETED: { topic: "system", text: (facts) => `Deleted policy draft ${fact(facts, "version") ?? "?"}` },
  POLICY_WHAT_IF_STARTED: { topic: "system", text: (facts) => `Began a what-if of policy ${fact(facts, "version") ?? "?"}` },
  POLICY_WHAT_IF_CANCELLED: { topic: "system", text: (facts) => `Cancelled a what-if of policy ${fact(facts, "version") ?? "?"}` },
  POLICY_ACTIVATION_REQUESTED: { topic: "system", text: (facts) => `Asked to put policy ${fact(facts, "version") ?? "?"} in force; a second administrator has to confirm it` },
  POLICY_ACTIVATED: { topic: "system", text: (facts) => `Put policy ${fact(facts, "version") ?? "?"} in force instead of ${fact(facts, "replaced") ?? "the one before"}` },
  POLICY_ROLLED_BACK: { topic: "system", text: (facts) => `Rolled back to policy ${fact(facts, "version") ?? "?"} from ${fact(facts, "replaced") ?? "the one before"}` },
  ROTATION_CONFIG_CHANGED: { topic: "system", text: (facts) => `Changed the configuration of the biweekly rotation${changedFields(facts)}` },
  ROTATION_PLANNED: { topic: "system", text: (facts) => `A rotation plan was made for ${sessionOf(facts, "sessionDate")}` },
  ROTATION_APPROVED: { topic: "system", text: "Approved a rotation plan" },
  ROTATION_REJECTED: { topic: "system", text: (facts) => `Rejected a rotation plan${because(facts)}` },
  ROTATION_SECOND_NEEDED: { topic: "system", text: "Asked for a rotation plan to be executed; a second administrator has to confirm it" },
  ROTATION_EXECUTED: { topic: "system", text: (facts) => `Executed a rotation plan${fact(facts, "legs") === null ? "" : ` of ${fact(facts, "legs")} ${facts.legs === 1 ? "order" : "orders"}`}` },

  SYSTEM_KILL_STATE_SET: { topic: "system", text: killText("Every account now") },
  PROVIDERS_TESTED: { topic: "system", text: (facts) => `Tested the providers: ${tested(facts)}` },
  SYMBOL_KILL_STATE_SET: { topic: "system", text: (facts) => `${facts.to === "NONE" ? "Allowed purchases of" : "Stopped purchases of"} ${fact(facts, "symbol") ?? "a symbol"}${facts.market === "PRACTICE" ? " on the practice market" : ""}${because(facts)}` },
  MAILS_SENT_AGAIN: { topic: "system", text: (facts) => (facts.count === 1 ? "Sent a failed email again" : `Sent ${fact(facts, "count") ?? "the"} failed emails again`) },
  WORKER_SILENT: { topic: "system", text: "The trading worker stopped answering: every account is checked" },
  WORKER_OUTAGE_CHECKED: { topic: "system", text: outageText },
  WORKER_BACK: { topic: "system", text: "The trading worker is back" },
  DATABASE_RESTORED: { topic: "system", text: (facts) => `The database was restored from a backup; what was written after event ${fact(facts, "chainEnd") ?? "?"} is lost` },
  CANARY_SHARE_SET: {
    topic: "system",
    text: (facts) => `The canary's share of the accounts is ${typeof facts.to === "number" ? shareText(facts.to) : "another one"} now${because(facts)}`,
  },
  BUILD_ACCEPTED: { topic: "system", text: (facts) => `An older build was allowed to send orders again${because(facts)}` },
  KEYS_RESEAL_STARTED: { topic: "system", text: "Began to seal stored keys under the newest master key" },
  KEYS_RESEALED: { topic: "system", text: "Sealed stored keys under the newest master key" },
} satisfies Record<string, AuditEventKind>;

/** What may be recorded: an event without words does not compile. */
export type AuditEventType = keyof typeof AUDIT_EVENTS;

/** The trail keeps events for good, so it may hold one that is no longer written. */
const kindOf = (eventType: string) => (AUDIT_EVENTS as Record<string, AuditEventKind>)[eventType];

/** The event in words; one without an entry reads as its name: "SOME_EVENT" → "Some event". */
export function auditText(eventType: string, facts: AuditFacts): string {
  const text = kindOf(eventType)?.text;
  if (text === undefined) {
    const plain = eventType.toLowerCase().replaceAll("_", " ");
    return plain.charAt(0).toUpperCase() + plain.slice(1);
  }
  const sentence = typeof text === "string" ? text : text(facts);
  const end = fact(facts, "accessTokenEnd");
  return end === null ? sentence : `${sentence} (by the access token …${end})`;
}

/** The heading of an event; one without an entry is the system's. */
export function auditTopic(eventType: string): AuditTopic {
  return kindOf(eventType)?.topic ?? "system";
}

/** Names of the events under a heading. */
export function auditEventsOf(topic: AuditTopic): string[] {
  return Object.keys(AUDIT_EVENTS).filter((eventType) => auditTopic(eventType) === topic);
}
