import * as z from "zod";
import { job } from "./job.ts";

const market = z.enum(["PRACTICE", "US"]);

/** Every job of the worker. Each may run twice at once or never: the services behind them are idempotent. */
export const jobs = {
  /** Follow orders of one account: settle unknowns, reconcile, protect, cancel what waited too long. */
  orderStatus: job({
    name: "order-status",
    input: z.strictObject({ accountId: z.uuid() }),
    priority: 1,
    attempts: 1,
    concurrency: 8,
  }),
  /** Look at the market once and hand the snapshot to the accounts. */
  screening: job({ name: "screening", input: z.strictObject({ market }), priority: 2, attempts: 1, concurrency: 2 }),
  /** Decide for one account in one cycle and submit its plan. */
  accountCycle: job({
    name: "account-cycle",
    input: z.strictObject({ cycleId: z.uuid(), accountId: z.uuid() }),
    priority: 3,
    attempts: 1,
    concurrency: 8,
  }),
  /** Read equity of every account of a market and store a point. */
  equity: job({ name: "equity", input: z.strictObject({ market }), priority: 4, attempts: 1, concurrency: 1 }),
  /** Send due mails of the outbox. */
  mail: job({ name: "mail", input: z.strictObject({}), priority: 5, attempts: 1, concurrency: 1 }),
};
