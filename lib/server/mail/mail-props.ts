import * as z from "zod";
import { ENVIRONMENTS, SIDES } from "@/lib/domain/enums.ts";
import { isDecimalText } from "@/lib/domain/money.ts";

const decimal = z.string().refine(isDecimalText, "not a decimal");
const environment = z.enum(ENVIRONMENTS);
const account = z.strictObject({ title: z.string(), environment });
/** A page of the product, "/settings". */
const path = z.string().regex(/^\/([^/\\]|$)/, "not a page of the product");

const happened = {
  /** Market time. */
  at: z.iso.datetime(),
  /** The order, whose page the mail opens; null for a decision that never became one. */
  orderId: z.uuid().nullable(),
  symbol: z.string(),
  side: z.enum(SIDES),
  /** In words; null for what is not ours to explain. */
  reason: z.string().nullable(),
};

/** What happened to an account's orders and trades, as it goes into a mail. */
export const activityItem = z.discriminatedUnion("what", [
  z.strictObject({
    what: z.enum(["SENT", "REJECTED", "CANCELLED", "EXPIRED"]),
    ...happened,
    /** Null for an order by amount. */
    qty: decimal.nullable(),
    filledQty: decimal,
    /** What the broker answered, where it gave a reason. */
    brokerMessage: z.string().nullable(),
  }),
  z.strictObject({
    what: z.literal("FILLED"),
    ...happened,
    qty: decimal,
    price: decimal,
    /** Of a sale: what its lots made, before regulatory fees. */
    realizedPnl: decimal.nullable(),
  }),
]);
export type ActivityItem = z.output<typeof activityItem>;

const roundTrip = z.strictObject({ symbol: z.string(), pnl: decimal, reason: z.string().nullable() });

/** A week of all accounts of one environment. USD. */
export const weekFigures = z.strictObject({
  environment,
  accounts: z.array(z.string()),
  /** Market time: the practice market's weeks are longer than those of the wall. */
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  /** Null where no account was there before the week. */
  equityStart: decimal.nullable(),
  equityEnd: decimal,
  /** Money in less money out. */
  netDeposits: decimal,
  /** Change of equity less net deposits. */
  pnl: decimal,
  realizedPnl: decimal,
  /** Orders with fills, and what they moved. */
  trades: z.int(),
  volume: decimal,
  wins: z.int(),
  losses: z.int(),
  scratches: z.int(),
  best: roundTrip.nullable(),
  worst: roundTrip.nullable(),
  exits: z.array(z.strictObject({ reason: z.string(), count: z.int(), pnl: decimal })),
  /** Wall time. */
  halts: z.array(z.strictObject({ at: z.iso.datetime(), account: z.string(), reason: z.string() })),
});
export type WeekFigures = z.output<typeof weekFigures>;

/**
 * What each mail is made of. Rows of the outbox hold no link and no token: links are made when the mail
 * is sent, from APP_BASE_URL, so that a host header cannot steer them and a stolen table opens nothing.
 */
export const mailProps = {
  /** Without a name, which earlier rows hold: no words of the person who entered it go to an unconfirmed address. */
  "verify-email": z.strictObject({ firstName: z.string().optional(), emailTokenId: z.uuid() }),
  /** `firstName` is null for an unconfirmed address. */
  "reset-password": z.strictObject({
    firstName: z.string().nullable(),
    emailTokenId: z.uuid(),
    /** Absent in earlier rows. */
    validFor: z.enum(["30 minutes", "24 hours"]).optional(),
  }),
  /** `changedAt` is wall time, ISO. */
  "password-changed": z.strictObject({ firstName: z.string(), changedAt: z.iso.datetime() }),
  /** To a former user; `erasedAt` is wall time, ISO. */
  "account-erased": z.strictObject({ firstName: z.string(), erasedAt: z.iso.datetime() }),
  /** `signedInAt` is wall time, ISO. */
  "new-sign-in": z.strictObject({
    firstName: z.string(),
    device: z.string().nullable(),
    ipAddress: z.string().nullable(),
    signedInAt: z.iso.datetime(),
  }),
  /** `failedAt` is wall time, ISO. */
  "wrong-password": z.strictObject({
    firstName: z.string(),
    device: z.string().nullable(),
    ipAddress: z.string().nullable(),
    failedAt: z.iso.datetime(),
  }),
  /** Orders and trades of one account, collected over a cycle. */
  activity: z.strictObject({
    firstName: z.string(),
    accountId: z.uuid(),
    account,
    items: z.array(activityItem),
  }),
  "weekly-summary": z.strictObject({
    firstName: z.string(),
    /** New York date of the Saturday on which the week ended. */
    weekEnd: z.iso.date(),
    blocks: z.array(weekFigures),
  }),
  "system-alert": z.strictObject({
    firstName: z.string(),
    subject: z.string(),
    paragraphs: z.array(z.string()),
    account: account.nullish(),
    link: z.strictObject({ label: z.string(), path }).nullable(),
    /** Waits for no quiet hours; "security" also goes whatever its reader switched off. */
    urgency: z.enum(["urgent", "security"]).optional(),
  }),
};

export type MailTemplate = keyof typeof mailProps;
export type MailProps<T extends MailTemplate> = z.output<(typeof mailProps)[T]>;
