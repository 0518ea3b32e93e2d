import * as z from "zod";
import { ACCOUNT_STATUSES, KILL_STATES, ROLES, SIDES } from "@/lib/domain/enums.ts";
import { idIn, instantOut, moneyOut } from "./codecs.ts";
import { endpoint } from "./endpoint.ts";
import { environmentOut } from "./environment.ts";
import { reasonNeededIn } from "./kill-switch.ts";

const role = z.enum(ROLES);
const killState = z.enum(KILL_STATES);

const userRowOut = z.object({
  id: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  role,
  /** Accounts that are not deleted. */
  accountCount: z.number().int(),
  createdAt: instantOut,
  isDisabled: z.boolean(),
});

/** waitsUntil: a second administrator has to confirm before then. */
const accessChangeOut = z.object({ isChanged: z.boolean(), waitsUntil: instantOut.nullable() });

const at = { access: "admin", limit: "admin" } as const;

export const adminUsersApi = {
  list: endpoint({
    ...at,
    method: "GET",
    path: "/admin/users",
    summary: "Users, newest first, with the number of their accounts. People who were erased are not listed.",
    input: z.strictObject({
      /** Part of a name or email address. */
      search: z.string().trim().max(100).optional(),
      cursor: z.string().max(200).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    output: z.object({
      users: z.array(userRowOut),
      pagination: z.object({ nextCursor: z.string().nullable(), limit: z.number().int(), total: z.number().int() }),
    }),
  }),
  read: endpoint({
    ...at,
    method: "GET",
    path: "/admin/users/{id}",
    summary: "One user: accounts, automation, the last decisions and orders, halts and sign-ins. No secret.",
    input: z.strictObject({ id: idIn }),
    output: userRowOut.extend({
      isVerified: z.boolean(),
      disabledAt: instantOut.nullable(),
      kill: z.object({ state: killState, reason: z.string().nullable(), since: instantOut.nullable() }),
      pause: z.object({ since: instantOut.nullable(), reason: z.string().nullable() }),
      /** What the first administrator asked for and a second has to confirm; null where none did. */
      pendingChange: z
        .object({ change: z.enum(["role", "disable", "enable"]), requestedBy: z.string(), expiresAt: instantOut })
        .nullable(),
      /** The policy in force asks for two administrators where the console is given or taken. */
      isTwoPerson: z.boolean(),
      accounts: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          environment: environmentOut,
          status: z.enum(ACCOUNT_STATUSES),
          haltReason: z.string().nullable(),
          haltedAt: instantOut.nullable(),
          killState,
          killReason: z.string().nullable(),
          isClosing: z.boolean(),
          /** USD; null until the broker was asked. */
          equity: moneyOut.nullable(),
          /** Market time. */
          equityAsOf: instantOut.nullable(),
          positions: z.number().int(),
          reconciledAt: instantOut.nullable(),
        }),
      ),
      /** The last 10. */
      decisions: z.array(z.object({ id: z.string(), accountId: z.string(), line: z.string(), decidedAt: instantOut })),
      /** The last 20. */
      orders: z.array(
        z.object({
          id: z.string(),
          symbol: z.string(),
          side: z.enum(SIDES),
          qty: z.string().nullable(),
          filledQty: z.string(),
          status: z.string(),
          environment: environmentOut,
          at: instantOut,
        }),
      ),
      /** The last 20 halts and resumptions. */
      halts: z.array(z.object({ id: z.string(), at: instantOut, text: z.string() })),
      /** The last 20. */
      signIns: z.array(
        z.object({
          id: z.string(),
          device: z.string().nullable(),
          ipAddress: z.string().nullable(),
          createdAt: instantOut,
          lastSeenAt: instantOut,
          isOpen: z.boolean(),
        }),
      ),
    }),
  }),
  disable: endpoint({
    ...at,
    method: "POST",
    path: "/admin/users/{id}/disable",
    stepUp: "loosening",
    summary:
      "Disable a user: sign-ins end at once and nothing is bought; exits and stops keep working. Not for yourself, nor for the last administrator. An administrator is disabled after a confirmation, and by two people where the policy asks for it.",
    input: z.strictObject({ id: idIn, reason: reasonNeededIn }),
    output: accessChangeOut,
  }),
  enable: endpoint({
    ...at,
    method: "POST",
    path: "/admin/users/{id}/enable",
    stepUp: "loosening",
    summary:
      "Let a disabled user sign in again. Old sign-ins stay ended. An administrator is enabled after a confirmation, and by two people where the policy asks for it.",
    input: z.strictObject({ id: idIn, reason: reasonNeededIn }),
    output: accessChangeOut,
  }),
  endSignIns: endpoint({
    ...at,
    method: "POST",
    path: "/admin/users/{id}/end-sign-ins",
    summary: "End all sign-ins of a user at once. Their access tokens are revoked with them, and they are told.",
    input: z.strictObject({ id: idIn, reason: reasonNeededIn }),
    output: z.object({ ended: z.number().int() }),
  }),
  setRole: endpoint({
    ...at,
    method: "POST",
    path: "/admin/users/{id}/role",
    stepUp: true,
    summary:
      "Make a user an administrator, or take the role away; their sign-ins end. Where the policy asks for two people, it waits for a second administrator. Not for yourself, nor for the last administrator.",
    input: z.strictObject({ id: idIn, role, reason: reasonNeededIn }),
    /** waitsUntil: a second administrator has to confirm before then. */
    output: z.object({ role, isChanged: z.boolean(), waitsUntil: instantOut.nullable() }),
  }),
  closeAccount: endpoint({
    ...at,
    method: "POST",
    path: "/admin/accounts/{id}/close",
    stepUp: true,
    summary:
      "Close a user's account as its owner would: automation stops, entries are cancelled, keys are erased. With closePositions its positions are sold first.",
    input: z.strictObject({ id: idIn, closePositions: z.boolean(), reason: reasonNeededIn }),
    output: z.object({ state: z.enum(["deleted", "closing"]) }),
  }),
};
