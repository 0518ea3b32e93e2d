import * as z from "zod";
import { SIDES } from "@/lib/domain/enums.ts";
import { idIn, instantOut, moneyOut } from "./codecs.ts";
import { endpoint } from "./endpoint.ts";
import { environmentOut } from "./environment.ts";
import { reasonNeededIn, symbolIn } from "./kill-switch.ts";

/** Whose account a matter is in. */
const whereOut = {
  accountId: z.string(),
  /** The account's name, or its broker and the beginning of its key. */
  account: z.string(),
  environment: environmentOut,
  ownerId: z.string(),
  owner: z.string(),
};

/** The first 50 of a list, the oldest first, and how many there are in all. */
const listOut = <T extends z.ZodType>(row: T) => z.object({ total: z.number().int(), rows: z.array(row) });

const orderOut = {
  id: z.string(),
  clientOrderId: z.string(),
  side: z.enum(SIDES),
  qty: z.string().nullable(),
  symbol: z.string(),
};

const booksOut = z.object({
  /** Of everything here: what is taken over is exactly this. */
  hash: z.string(),
  adjustments: z.array(
    z.object({
      symbol: z.string(),
      /** Shares by our records and at the broker. */
      ours: z.string(),
      theirs: z.string(),
      side: z.enum(SIDES),
      qty: z.string(),
      /** USD per share. */
      price: moneyOut,
      /** Booked instead of a purchase or sale where a split explains the difference. `ratio`: new shares per old, exactly. */
      split: z.object({ ratio: z.string(), exDate: z.string() }).nullable(),
    }),
  ),
  /** USD: by our records, with these shares, at the broker, and what is left over. */
  cash: z.object({ ours: moneyOut, adjusted: moneyOut, theirs: moneyOut, flow: moneyOut }),
});

const activityIdsIn = z.array(z.string().min(1).max(120)).min(1).max(20);
const shareIn = z.string().regex(/^(0(\.\d{1,9})?|1(\.0{1,9})?)$/, "A share of the cost lies between 0 and 1.");
const choiceIn = {
  id: idIn,
  activityIds: activityIdsIn,
  /** The symbol whose shares stay, where the broker names only those that came. */
  source: symbolIn.optional(),
  /** Share of the old shares' cost that goes with the new ones, by symbol. */
  costShares: z.record(z.string().max(12), shareIn).optional(),
};

const activityOut = z.object({
  hash: z.string(),
  source: z.string(),
  costHeld: moneyOut,
  incoming: z.array(z.object({ symbol: z.string(), qty: z.string(), costShare: z.string(), cost: moneyOut })),
  removed: z.object({ qty: z.string(), proceeds: moneyOut }).nullable(),
});

/** Positions that still differ from the broker's after booking. */
const afterwardsOut = z.object({ differing: z.array(z.string()) });

const at = { access: "admin", limit: "admin" } as const;

export const operationsApi = {
  read: endpoint({
    ...at,
    method: "GET",
    path: "/admin/operations",
    summary:
      "What waits for an administrator: parked orders, halted accounts, orders to look for at the broker, activities to book, emails that failed.",
    input: z.strictObject({}),
    output: z.object({
      parked: listOut(
        z.object({
          ...orderOut,
          ...whereOut,
          why: z.string().nullable(),
          /** False while the broker is still asked about it. */
          needsPerson: z.boolean(),
          decidedAt: instantOut,
        }),
      ).extend({
        /** How many of the total need a person. */
        needPerson: z.number().int(),
      }),
      halted: listOut(
        z.object({
          ...whereOut,
          reason: z.string().nullable(),
          since: instantOut,
          hasKeys: z.boolean(),
          /** The drawdown stopped it, too: it can be measured from today's equity. */
          isDrawdownHalted: z.boolean(),
        }),
      ),
      /** Orders that work by our records in halted accounts: one that the broker does not know can be closed. */
      working: listOut(
        z.object({
          ...orderOut,
          ...whereOut,
          status: z.string(),
          createdAt: instantOut,
          /** The account is halted because the broker does not know this order. */
          isMissing: z.boolean(),
        }),
      ),
      activities: listOut(
        z.object({
          ...whereOut,
          activityId: z.string(),
          type: z.string(),
          symbol: z.string().nullable(),
          qty: z.string().nullable(),
          amount: moneyOut,
          date: z.iso.date(),
        }),
      ),
      mails: listOut(
        z.object({
          id: z.string(),
          recipient: z.string(),
          template: z.string(),
          failedAt: instantOut,
          attempts: z.number().int(),
          error: z.string().nullable(),
        }),
      ),
    }),
  }),
  resolveParked: endpoint({
    ...at,
    method: "POST",
    path: "/admin/parked/{id}",
    summary:
      "Say what becomes of a parked order: what the broker has counts (adopt), or it is cancelled and closed (give_up).",
    input: z.strictObject({ id: idIn, resolution: z.enum(["adopt", "give_up"]), reason: reasonNeededIn }),
    output: z.object({ status: z.string(), order: z.enum(["ours", "external", "none"]) }),
  }),
  resume: endpoint({
    ...at,
    method: "POST",
    path: "/admin/accounts/{id}/resume",
    stepUp: true,
    summary:
      "Resume a halted account once its records agree with the broker's; resetMark measures the drawdown from today's equity.",
    input: z.strictObject({ id: idIn, reason: reasonNeededIn, resetMark: z.boolean().optional() }),
    output: z.object({ isResumed: z.boolean(), isDrawdownHaltLifted: z.boolean(), highWaterMark: moneyOut.nullable() }),
  }),
  previewBooks: endpoint({
    ...at,
    method: "POST",
    path: "/admin/accounts/{id}/books/preview",
    summary: "What taking over the broker's books would change in an account. Nothing is booked.",
    input: z.strictObject({ id: idIn }),
    output: booksOut,
  }),
  takeBooks: endpoint({
    ...at,
    method: "POST",
    path: "/admin/accounts/{id}/books",
    summary: "Take over the broker's books as the preview of that hash showed them. The halt stays.",
    input: z.strictObject({ id: idIn, hash: z.string().min(1).max(64), reason: reasonNeededIn }),
    output: afterwardsOut,
  }),
  closeUnknown: endpoint({
    ...at,
    method: "POST",
    path: "/admin/all-trades/{id}/close-unknown",
    summary:
      "Close an order that is open in Tradewind's records but that the broker does not know, in two readings while positions agree.",
    input: z.strictObject({ id: idIn, reason: reasonNeededIn }),
    output: z.object({ closed: z.array(z.string()) }),
  }),
  previewActivity: endpoint({
    ...at,
    method: "POST",
    path: "/admin/accounts/{id}/activities/preview",
    summary: "What booking these legs of one corporate action would change. Nothing is booked.",
    input: z.strictObject(choiceIn),
    output: activityOut,
  }),
  bookActivity: endpoint({
    ...at,
    method: "POST",
    path: "/admin/accounts/{id}/activities/book",
    summary: "Book a corporate action as the preview of that hash showed it.",
    input: z.strictObject({ ...choiceIn, hash: z.string().min(1).max(64), reason: reasonNeededIn }),
    output: afterwardsOut,
  }),
  dismissActivity: endpoint({
    ...at,
    method: "POST",
    path: "/admin/accounts/{id}/activities/dismiss",
    summary: "Mark a waiting activity as reviewed and not booked.",
    input: z.strictObject({ id: idIn, activityIds: activityIdsIn, reason: reasonNeededIn }),
    output: z.object({ dismissed: z.number().int() }),
  }),
  sendMailAgain: endpoint({
    ...at,
    method: "POST",
    path: "/admin/mails/{id}/send-again",
    summary: "Send a failed email again. One whose link has expired is refused.",
    input: z.strictObject({ id: idIn }),
    output: z.object({ queued: z.number().int() }),
  }),
  sendMailsAgain: endpoint({
    ...at,
    method: "POST",
    path: "/admin/mails/send-again",
    summary: "Send all failed emails again whose links have not expired, at most 500 at once.",
    input: z.strictObject({}),
    output: z.object({ queued: z.number().int() }),
  }),
};
