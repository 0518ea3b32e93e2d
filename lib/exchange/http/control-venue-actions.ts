import * as z from "zod";
import type { VenueActions } from "../venue-actions.ts";

/** The bodies of the actions of the venue under /_control, and what each of them does. */

const symbolChange = z.strictObject({
  symbol: z.string(),
  isHalted: z.boolean().optional(),
  status: z.enum(["active", "inactive"]).optional(),
  tradable: z.boolean().optional(),
  fractionable: z.boolean().optional(),
  marginable: z.boolean().optional(),
  shortable: z.boolean().optional(),
  easyToBorrow: z.boolean().optional(),
});
const standingChange = z.strictObject({
  account_number: z.string(),
  status: z.string().optional(),
  tradingBlocked: z.boolean().optional(),
  transfersBlocked: z.boolean().optional(),
  accountBlocked: z.boolean().optional(),
  areKeysRevoked: z.boolean().optional(),
});
const corporateAction = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("split"),
    symbol: z.string(),
    ratio: z.string(),
    paysFractions: z.boolean().optional(),
  }),
  z.strictObject({ kind: z.literal("dividend"), symbol: z.string(), amount: z.string() }),
  z.strictObject({
    kind: z.literal("spin_off"),
    symbol: z.string(),
    newSymbol: z.string(),
    ratio: z.string(),
    costShare: z.string().optional(),
  }),
  z.strictObject({ kind: z.literal("cash_merger"), symbol: z.string(), cash: z.string() }),
  z.strictObject({
    kind: z.literal("stock_merger"),
    symbol: z.string(),
    newSymbol: z.string(),
    ratio: z.string(),
    cash: z.string().optional(),
  }),
  z.strictObject({ kind: z.literal("name_change"), symbol: z.string(), newSymbol: z.string() }),
]);
const executionChange = z.strictObject({
  execution_id: z.string(),
  qty: z.string().optional(),
  price: z.string().optional(),
});

export type Read = <T>(schema: z.ZodType<T>, input: unknown) => T;

/** Only what is named is changed. */
function named<T extends object>(change: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

export const VENUE_ACTIONS: Record<
  string,
  (venueActions: VenueActions, body: unknown, read: Read) => Promise<unknown>
> = {
  "POST /symbols": (to, body, read) => {
    const { symbol, ...change } = read(symbolChange, body);
    return to.setSymbol(symbol, named(change));
  },
  "POST /standing": (to, body, read) => {
    const { account_number, ...change } = read(standingChange, body);
    return to.changeAccountStatus(account_number, named(change));
  },
  "POST /corporate-actions": (to, body, read) => {
    const action = read(corporateAction, body);
    return to.applyCorporateAction(action).then(() => action);
  },
  "POST /executions/bust": (to, body, read) => to.bust(read(executionChange, body).execution_id),
  "POST /executions/correct": (to, body, read) => {
    const { execution_id, ...change } = read(executionChange, body);
    return to.correct(execution_id, change);
  },
};
