import * as z from "zod";
import { MARKETS } from "@/lib/domain/enums.ts";
import { job } from "./job.ts";

const market = z.enum(MARKETS);
const ofMarket = { input: z.strictObject({ market }), scope: (input: { market: string }) => input.market };
const ofAccount = {
  input: z.strictObject({ accountId: z.uuid() }),
  scope: (input: { accountId: string }) => input.accountId,
};
const ofAll = { input: z.strictObject({}), scope: () => "all" };

/** Every job of the worker. Each may run twice at once or never: the services behind them are idempotent. */
export const jobs = {
  /** Follow orders of one account: settle unknowns, reconcile, protect, cancel what waited too long. */
  orderStatus: job({ name: "order-status", ...ofAccount, priority: 1, attempts: 1, concurrency: 8 }),
  /** Look at the market once and hand the snapshot to the accounts. */
  screening: job({ name: "screening", ...ofMarket, priority: 2, attempts: 1, concurrency: 2 }),
  /** Decide for one account in one cycle and submit its plan. */
  accountCycle: job({
    name: "account-cycle",
    input: z.strictObject({ cycleId: z.uuid(), accountId: z.uuid() }),
    scope: ({ accountId }) => accountId,
    priority: 3,
    attempts: 1,
    concurrency: 8,
  }),
  /** Read equity of every account of a market and store a point. */
  equity: job({ name: "equity", ...ofMarket, priority: 4, attempts: 1, concurrency: 1 }),
  /** After the close: every account's orders, executions, positions and cash against the broker's, to the cent. */
  nightly: job({ name: "nightly", ...ofMarket, priority: 4, attempts: 1, concurrency: 1 }),
  /** Make the rotation plan of a session in which one is due; close plans whose time is over. */
  rotationPlan: job({ name: "rotation-plan", ...ofMarket, priority: 4, attempts: 1, concurrency: 1 }),
  /** Follow executed rotation plans: note what became of their legs, wake the accounts that have some left to send. */
  rotationExecution: job({ name: "rotation-execution", ...ofAll, priority: 3, attempts: 1, concurrency: 1 }),
  /** Send what may go out now of the rotation legs of one account. */
  rotationAccount: job({ name: "rotation-account", ...ofAccount, priority: 2, attempts: 1, concurrency: 8 }),
  /** Send due mails of the outbox. */
  mail: job({ name: "mail", ...ofAll, priority: 5, attempts: 1, concurrency: 1 }),
  /** After a week's end: a summary for everybody to whom something happened in it. */
  weeklySummary: job({ name: "weekly-summary", ...ofAll, priority: 6, attempts: 1, concurrency: 1 }),
  /** Run the backtests that wait, one after the other; the figuring is done in a thread of its own. */
  backtestRun: job({ name: "backtest-run", ...ofAll, priority: 7, attempts: 1, concurrency: 1 }),
  /** Run the what-ifs that wait, one after the other; the figuring is done in a thread of its own. */
  whatIf: job({ name: "what-if", ...ofAll, priority: 7, attempts: 1, concurrency: 1 }),
  /** Drop notifications and mails that are too many or too old. */
  purge: job({ name: "purge", ...ofAll, priority: 6, attempts: 1, concurrency: 1 }),
  /** Ask every configured provider once a day whether it answers. */
  providerCheck: job({ name: "provider-check", ...ofAll, priority: 6, attempts: 1, concurrency: 1 }),
  /** Read what the SEC says of the companies of the US market, some at a time. */
  companies: job({ name: "companies", ...ofAll, priority: 7, attempts: 1, concurrency: 1 }),
  /** Look at the invariants of one account; halt it where one is broken. */
  invariants: job({ name: "invariants", ...ofAccount, priority: 5, attempts: 1, concurrency: 2 }),
  /** Look at the invariants that all accounts share. */
  systemInvariants: job({ name: "system-invariants", ...ofAll, priority: 5, attempts: 1, concurrency: 1 }),
};
