import * as z from "zod";
import { DELIVERY_CHANNELS, NOTIFICATION_KINDS } from "@/lib/domain/enums.ts";
import { isTimeZone } from "@/lib/domain/quiet-hours.ts";
import { idIn, instantOut } from "./codecs.ts";
import { endpoint } from "./endpoint.ts";

export const CHANNEL_BOUNDS = {
  /** Browsers of one person. */
  pushSubscriptions: 10,
  deliveriesShown: 50,
} as const;

const webhookOut = z.object({
  /** In full: it is shown to its owner alone. */
  url: z.string(),
  createdAt: instantOut,
  /** Since the first failure after the last delivery; null while it works. */
  failingSince: instantOut.nullable(),
  /** Null while it is in use. */
  disabledAt: instantOut.nullable(),
  disabledReason: z.string().nullable(),
  /** The secret before the last rotation signs until then. */
  oldSecretUntil: instantOut.nullable(),
});

/** Shown once: it cannot be read again. */
const secretOut = z.string();

const pushOut = z.object({
  /** What a browser subscribes with; null where this installation sends no browser notifications. */
  publicKey: z.string().nullable(),
  subscriptions: z.array(
    z.object({
      id: z.string(),
      /** Tells a browser whether it is this one. */
      endpoint: z.string(),
      label: z.string(),
      createdAt: instantOut,
      lastUsedAt: instantOut.nullable(),
      /** It was switched on, or used since, in the sign-in that asks. */
      isOfThisSignIn: z.boolean(),
    }),
  ),
});

const quietHours = z
  .strictObject({
    /** Minutes of the day: 22:00 is 1320. */
    from: z.number().int().min(0).max(1_439),
    to: z.number().int().min(0).max(1_439),
    timeZone: z.string().max(64).refine(isTimeZone, "Choose a time zone."),
  })
  .refine(({ from, to }) => from !== to, { path: ["to"], message: "Quiet hours need two different times." })
  .nullable();

const base64url = (what: string, bytes: number) =>
  z.string().regex(new RegExp(`^[A-Za-z0-9_-]{${Math.ceil((bytes * 4) / 3)}}=*$`), `Not a valid ${what}.`);

export const channelsApi = {
  readWebhook: endpoint({
    method: "GET",
    path: "/notifications/webhook",
    token: "NONE",
    access: "user",
    limit: "api",
    summary: "Where your notifications are posted to, and whether that works.",
    input: z.strictObject({}),
    output: z.object({ webhook: webhookOut.nullable() }),
  }),
  setWebhook: endpoint({
    method: "PUT",
    path: "/notifications/webhook",
    access: "user",
    limit: "api",
    perPerson: "channel-calls",
    stepUp: true,
    summary:
      "Post your notifications to this address. A new webhook's secret is returned once; one that was switched off is switched on again.",
    input: z.strictObject({
      url: z.string("Enter an address.").trim().min(1, "Enter an address.").max(2_000, "This address is too long."),
    }),
    output: z.object({ webhook: webhookOut, secret: secretOut.nullable() }),
  }),
  removeWebhook: endpoint({
    method: "DELETE",
    path: "/notifications/webhook",
    access: "user",
    limit: "api",
    summary: "Stop posting notifications. What has not arrived is dropped.",
    input: z.strictObject({}),
    output: z.object({ webhook: webhookOut.nullable() }),
  }),
  rotateSecret: endpoint({
    method: "POST",
    path: "/notifications/webhook/rotate",
    access: "user",
    limit: "api",
    perPerson: "channel-calls",
    stepUp: true,
    summary: "A new secret for the webhook, returned once. The old one also signs for 24 hours.",
    input: z.strictObject({}),
    output: z.object({ webhook: webhookOut, secret: secretOut }),
  }),
  testWebhook: endpoint({
    method: "POST",
    path: "/notifications/webhook/test",
    access: "user",
    limit: "api",
    perPerson: "channel-calls",
    summary: "Post a test to the webhook. What became of it is listed under the deliveries.",
    input: z.strictObject({}),
    output: z.object({ id: z.string() }),
  }),
  deliveries: endpoint({
    method: "GET",
    path: "/notifications/deliveries",
    token: "NONE",
    access: "user",
    limit: "api",
    summary: "The last deliveries to your webhook and browsers, newest first.",
    input: z.strictObject({}),
    output: z.object({
      deliveries: z.array(
        z.object({
          id: z.string(),
          channel: z.enum(DELIVERY_CHANNELS),
          /** Host of the webhook, or the browser. */
          target: z.string(),
          kind: z.enum([...NOTIFICATION_KINDS, "TEST"]),
          title: z.string(),
          createdAt: instantOut,
          state: z.enum(["WAITING", "DELIVERED", "FAILED"]),
          attempts: z.number().int(),
          deliveredAt: instantOut.nullable(),
          /** While it waits: not before then. */
          nextAt: instantOut.nullable(),
          lastStatus: z.number().int().nullable(),
          lastError: z.string().nullable(),
          /** Its webhook or browser is still there, and it does not wait for its first attempt. */
          canRetry: z.boolean(),
        }),
      ),
    }),
  }),
  retryDelivery: endpoint({
    method: "POST",
    path: "/notifications/deliveries/{id}/retry",
    access: "user",
    limit: "api",
    perPerson: "channel-calls",
    summary: "Send a delivery again, under the same id.",
    input: z.strictObject({ id: idIn }),
    output: z.object({ id: z.string() }),
  }),
  readPush: endpoint({
    method: "GET",
    path: "/notifications/push",
    token: "NONE",
    access: "user",
    limit: "api",
    summary: "The browsers that show your notifications.",
    input: z.strictObject({}),
    output: pushOut,
  }),
  subscribePush: endpoint({
    method: "POST",
    path: "/notifications/push",
    access: "user",
    limit: "api",
    perPerson: "channel-calls",
    stepUp: "loosening",
    summary:
      "Show your notifications in this browser: what its push manager answered. One that shows them already belongs to this sign-in from now on, and ends with it.",
    input: z.strictObject({
      endpoint: z.string().min(1).max(2_000),
      keys: z.strictObject({ p256dh: base64url("key", 65), auth: base64url("key", 16) }),
    }),
    output: z.object({ id: z.string() }),
  }),
  unsubscribePush: endpoint({
    method: "DELETE",
    path: "/notifications/push/{id}",
    access: "user",
    limit: "api",
    summary: "Stop showing your notifications in this browser.",
    input: z.strictObject({ id: idIn }),
    output: z.object({ id: z.string() }),
  }),
  readQuietHours: endpoint({
    method: "GET",
    path: "/preferences/quiet-hours",
    token: "NONE",
    access: "user",
    limit: "api",
    summary: "The hours in which emails and browser notifications wait; null: none.",
    input: z.strictObject({}),
    output: z.object({ quietHours }),
  }),
  saveQuietHours: endpoint({
    method: "PUT",
    path: "/preferences/quiet-hours",
    access: "user",
    limit: "api",
    summary:
      "Save the hours in which emails and browser notifications wait. Security alerts and halts are not delayed.",
    input: z.strictObject({ quietHours }),
    output: z.object({ quietHours }),
  }),
};
