import * as z from "zod";
import { NOTIFICATION_KINDS } from "@/lib/domain/enums.ts";
import { idIn, instantIn, instantOut } from "./codecs.ts";
import { endpoint } from "./endpoint.ts";
import { environmentOut } from "./environment.ts";

/** What a link in a mail switches off, and its words. "activity" is the one mail about orders and trades. */
export const UNSUBSCRIBE_LABELS = {
  orders: "order notifications",
  trades: "trade notifications",
  activity: "order and trade notifications",
  weekly: "the weekly summary",
  alerts: "system alerts",
} as const;

export type UnsubscribeKind = keyof typeof UNSUBSCRIBE_LABELS;

const unsubscribeKind = z.enum(Object.keys(UNSUBSCRIBE_LABELS) as [UnsubscribeKind, ...UnsubscribeKind[]]);

/** What a token claims to be for: it begins with its kind. Only the server knows whether the claim is signed. */
export function kindOfToken(token: string): UnsubscribeKind | null {
  const claimed = token.split(".")[0] ?? "";
  return Object.hasOwn(UNSUBSCRIBE_LABELS, claimed) ? (claimed as UnsubscribeKind) : null;
}

const LINK_INVALID = "This link is not valid. Switch these emails off under Settings, Notifications.";
const unsubscribeTokenIn = z.string(LINK_INVALID).min(20, LINK_INVALID).max(200, LINK_INVALID);
const unsubscribed = z.object({ kind: unsubscribeKind });

const notificationOut = z.object({
  id: z.string(),
  /** wall time */
  at: instantOut,
  /** market time of what happened; null for what has none */
  marketAt: instantOut.nullable(),
  kind: z.enum(NOTIFICATION_KINDS),
  title: z.string(),
  text: z.string(),
  /** A page of the product, "/trade-history". */
  link: z.string().nullable(),
  /** Null for what belongs to no account. */
  environment: environmentOut.nullable(),
  isRead: z.boolean(),
});

const IDS_OR_ALL = "Name the notifications by their ids, or all of them.";

export const notificationsApi = {
  list: endpoint({
    method: "GET",
    path: "/notifications",
    token: "NONE",
    access: "user",
    limit: "api",
    summary: "Your own notifications, newest first, and how many of them are unread; with a kind, of that kind.",
    input: z.strictObject({
      kind: z.enum(NOTIFICATION_KINDS).optional(),
      cursor: z.string().max(200).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(20),
    }),
    output: z.object({
      notifications: z.array(notificationOut),
      unreadCount: z.number().int(),
      pagination: z.object({ nextCursor: z.string().nullable(), limit: z.number().int() }),
    }),
  }),
  read: endpoint({
    method: "POST",
    path: "/notifications/read",
    access: "user",
    limit: "api",
    summary:
      "Mark some of your own notifications as read, or all of them: of a kind, and until a time, where these are given.",
    input: z
      .strictObject({
        ids: z.array(idIn).min(1, IDS_OR_ALL).max(200, "Name 200 notifications at most.").optional(),
        all: z.literal(true).optional(),
        kind: z.enum(NOTIFICATION_KINDS).optional(),
        /** The newest that the caller has seen: later ones stay unread. */
        until: instantIn.optional(),
      })
      .refine(({ ids, all }) => (ids === undefined) !== (all === undefined), IDS_OR_ALL)
      .refine(({ all, kind, until }) => all === true || (kind ?? until) === undefined, IDS_OR_ALL),
    output: z.object({ unreadCount: z.number().int() }),
  }),
  unsubscribe: endpoint({
    method: "POST",
    path: "/notifications/unsubscribe",
    access: "public",
    limit: "auth",
    summary:
      "Switch off the kind of email that an emailed link names. The link opens a page; this separate call switches it off.",
    input: z.strictObject({ token: unsubscribeTokenIn }),
    output: unsubscribed,
  }),
  unsubscribeOneClick: endpoint({
    method: "POST",
    path: "/notifications/unsubscribe/one-click",
    access: "public",
    limit: "auth",
    summary: "The same for email programs (RFC 8058): the token is in the address, the form that is sent is not read.",
    isInAddress: true,
    input: z.strictObject({ token: unsubscribeTokenIn }),
    output: unsubscribed,
  }),
};
