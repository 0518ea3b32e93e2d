import * as z from "zod";
import { WHOLE_SHARE } from "@/lib/domain/canary.ts";
import { MARKETS } from "@/lib/domain/enums.ts";
import { DAY_MS, MINUTE_MS } from "@/lib/domain/time.ts";
import { job } from "./job.ts";

const market = z.enum(MARKETS);
const ofMarket = { input: z.strictObject({ market }), scope: (input: { market: string }) => input.market };
const ofAccount = {
  input: z.strictObject({ accountId: z.uuid() }),
  scope: (input: { accountId: string }) => input.accountId,
  account: (input: { accountId: string }) => input.accountId,
};
/** A range of ids; `share`: of it, the accounts on the side of this share on which its first account is; absent: all of them. */
const page = { from: z.uuid(), to: z.uuid(), share: z.number().int().min(1).max(WHOLE_SHARE).optional() };
const ofPage = { scope: ({ from }: { from: string }) => from, account: ({ from }: { from: string }) => from };
const ofAll = { input: z.strictObject({}), scope: () => "all" };

/** Once for all accounts, in wall time. */
const every = (everyMs: number) => ({ ...ofAll, cadence: { of: "all" as const, everyMs } });

/** Every job of the worker and when it is due. Each may run twice at once or never: the services behind them are idempotent. */
export const jobs = {
  /** Follow orders of one account: settle unknowns, reconcile, protect, cancel what waited too long; beside the stream, as the broker's limit counts market minutes. */
  orderStatus: job({
    name: "order-status",
    ...ofAccount,
    cadence: { of: "accounts", everyMs: 5_000 },
    priority: 1,
    attempts: 1,
    concurrency: 8,
  }),
  /** Look at the books of a page of accounts that are due: a range of their ids. Those with something to book or to send get their order-status. */
  orderStatusPage: job({
    name: "order-status-page",
    ...ofPage,
    input: z.strictObject(page),
    priority: 1,
    attempts: 1,
    concurrency: 2,
  }),
  /** Look at the market once and hand the snapshot to the accounts, in pages. */
  screening: job({
    name: "screening",
    ...ofMarket,
    cadence: { of: "session", everyMs: "checks", after: { minutes: 0, from: "entries" } },
    priority: 2,
    attempts: 1,
    concurrency: 2,
  }),
  /** Decide for a page of accounts in one cycle: a range of their ids. Those with something to send get a job of their own. */
  accountPage: job({
    name: "account-page",
    ...ofPage,
    input: z.strictObject({ cycleId: z.uuid(), ...page }),
    priority: 4,
    attempts: 1,
    concurrency: 2,
  }),
  /** Decide for one account in one cycle and submit its plan. */
  accountCycle: job({
    name: "account-cycle",
    input: z.strictObject({ cycleId: z.uuid(), accountId: z.uuid() }),
    scope: ({ accountId }) => accountId,
    account: ({ accountId }) => accountId,
    priority: 3,
    attempts: 1,
    concurrency: 8,
  }),
  /** Read equity of every account of a market and store a point, beside the closing points. */
  equity: job({
    name: "equity",
    ...ofMarket,
    cadence: { of: "session", everyMs: 15 * MINUTE_MS, after: { minutes: 1, from: "opening" } },
    priority: 4,
    attempts: 1,
    concurrency: 2,
  }),
  /** After the close and the last executions: every account's orders, executions, positions and cash against the broker's, to the cent, and its equity. */
  nightly: job({
    name: "nightly",
    ...ofMarket,
    cadence: { of: "close", afterMs: 5 * MINUTE_MS },
    priority: 4,
    attempts: 1,
    concurrency: 2,
  }),
  /**
   * Make the rotation plan of a session in which one is due; close plans whose time is over. A look that came before the
   * first screening is followed by another one.
   */
  rotationPlan: job({
    name: "rotation-plan",
    ...ofMarket,
    cadence: { of: "session", everyMs: 10 * MINUTE_MS, after: { minutes: 1, from: "entries" } },
    priority: 4,
    attempts: 1,
    concurrency: 2,
  }),
  /**
   * Follow executed rotation plans: note what became of their legs, wake the accounts that have some left to send. A worker
   * that died in the middle of a rotation is followed by the next one's look.
   */
  rotationExecution: job({ name: "rotation-execution", ...every(2_000), priority: 3, attempts: 1, concurrency: 1 }),
  /** Send what may go out now of the rotation legs of one account. */
  rotationAccount: job({ name: "rotation-account", ...ofAccount, priority: 2, attempts: 1, concurrency: 8 }),
  /** Send due mails of the outbox. */
  mail: job({ name: "mail", ...every(2_000), priority: 5, attempts: 1, concurrency: 1 }),
  /** Send due deliveries to webhooks and browsers. */
  deliveries: job({ name: "deliveries", ...every(2_000), priority: 5, attempts: 1, concurrency: 1 }),
  /** After a week's end: a summary for each user to whom something happened in it. Most hours have no week's end before them. */
  weeklySummary: job({ name: "weekly-summary", ...every(60 * MINUTE_MS), priority: 6, attempts: 1, concurrency: 1 }),
  /** Run the backtests that wait, and those whose worker is gone, one after the other; the figuring is done in a thread of its own. */
  backtestRun: job({ name: "backtest-run", ...every(5_000), priority: 7, attempts: 1, concurrency: 1 }),
  /** The same for settings that are tried before they are saved: a person waits for it, so it waits for no backtest. */
  settingsPreview: job({ name: "settings-preview", ...every(5_000), priority: 6, attempts: 1, concurrency: 1 }),
  /** The same for backtests whose settings are varied. */
  backtestGrid: job({ name: "backtest-grid", ...every(5_000), priority: 7, attempts: 1, concurrency: 1 }),
  /** Make the history of each strategy anew where a session has closed since; the figuring is done in a thread of its own. Several sessions of a fast market are one run. */
  strategyHistory: job({
    name: "strategy-history",
    ...every(2 * MINUTE_MS),
    priority: 7,
    attempts: 1,
    concurrency: 1,
  }),
  /** The same as for backtests, for the what-ifs. */
  whatIf: job({ name: "what-if", ...every(5_000), priority: 7, attempts: 1, concurrency: 1 }),
  /** Ask the insight model for the texts that wait, those that the queue lost among them, one after the other. */
  insightTexts: job({ name: "insight-texts", ...every(30_000), priority: 7, attempts: 1, concurrency: 1 }),
  /** Make the partitions of the next months and years: a practice market may pass a year in hours. */
  partitions: job({ name: "partitions", ...every(60 * MINUTE_MS), priority: 6, attempts: 1, concurrency: 1 }),
  /** Drop notifications and mails that are too many, and decisions that are too old. */
  purge: job({ name: "purge", ...every(DAY_MS), priority: 6, attempts: 1, concurrency: 1 }),
  /** Ask every configured provider once a day whether it answers. */
  providerCheck: job({
    name: "provider-check",
    ...ofAll,
    cadence: { of: "daily", hour: 13, minute: 30 },
    priority: 6,
    attempts: 1,
    concurrency: 1,
  }),
  /** Read what the SEC says of the companies of the US market, some at a time. */
  companies: job({ name: "companies", ...every(5 * MINUTE_MS), priority: 7, attempts: 1, concurrency: 1 }),
  /** Load the bars of markets whose source counts requests, ahead of their screening; the next turn continues. */
  barHistory: job({ name: "bar-history", ...every(10_000), priority: 6, attempts: 1, concurrency: 1 }),
  /** Look at the invariants of one account; halt it where one is broken. */
  invariants: job({
    name: "invariants",
    ...ofAccount,
    cadence: { of: "accounts", everyMs: MINUTE_MS },
    priority: 5,
    attempts: 1,
    concurrency: 2,
  }),
  /** Look at the invariants of a page of accounts that are due: a range of their ids. Those in which something looks broken or cannot be judged get their own look. */
  invariantsPage: job({
    name: "invariants-page",
    ...ofPage,
    input: z.strictObject(page),
    priority: 5,
    attempts: 1,
    concurrency: 2,
  }),
  /** Look at the invariants that all accounts share. */
  systemInvariants: job({ name: "system-invariants", ...every(MINUTE_MS), priority: 5, attempts: 1, concurrency: 1 }),
};

/** Names of the jobs that are about one account, which is their scope; the scope of a page is its first account, and it is about more. */
export const JOBS_OF_ONE_ACCOUNT: readonly string[] = Object.values(jobs)
  .filter(({ input }) => "accountId" in input.shape)
  .map(({ name }) => name);
