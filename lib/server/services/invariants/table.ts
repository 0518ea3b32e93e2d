/**
 * What is always true, as one table. Each line says where it is held up: by the checker that looks at every
 * account each minute (`MINUTE`), by the oracle of the chaos run, which knows the exchange's own books
 * (`ORACLE`), or by the named proof elsewhere.
 */
export const INVARIANTS = {
  I1: {
    sentence:
      "Every order at the broker with one of our ids has one intent with that id, account, symbol, side and quantity.",
    checkedBy: ["MINUTE", "ORACLE"],
    isHalting: true,
    proof: "check-account, chaos",
  },
  I2: {
    sentence: "No client id is on two orders, and no leg of a plan has two live or filled attempts.",
    checkedBy: ["MINUTE", "ORACLE"],
    isHalting: true,
    proof: "check-account, chaos",
  },
  I3: {
    sentence: "What an order has filled is the sum of its fills, each known once, between nothing and its quantity.",
    checkedBy: ["MINUTE", "ORACLE"],
    isHalting: true,
    proof: "check-account, chaos",
  },
  I4: {
    sentence: "A position is the sum of its lots, of its signed fills, and what the broker holds.",
    checkedBy: ["MINUTE", "ORACLE"],
    isHalting: true,
    proof: "check-account, chaos",
  },
  I5: {
    sentence: "Money is conserved: flows, purchases and sales explain the broker's cash to the cent.",
    checkedBy: ["MINUTE", "ORACLE"],
    isHalting: true,
    proof: "check-account, chaos",
  },
  I6: {
    sentence: "Nothing is sent without a passed gate, committed before the request.",
    checkedBy: ["MINUTE", "ORACLE"],
    isHalting: true,
    proof: "check-account; chaos looks at each request as it arrives",
  },
  I7: {
    sentence: "Nothing is sent while the account is halted, nothing that a kill switch forbids while it is on.",
    checkedBy: ["MINUTE", "ORACLE"],
    isHalting: true,
    proof: "check-account; chaos holds each request against the switches",
  },
  I8: {
    sentence: "Orders move along allowed edges only, a final state is never left, and an intent follows its order.",
    checkedBy: ["MINUTE", "ORACLE"],
    isHalting: true,
    proof: "check-account; chaos keeps a log of all transitions",
  },
  I9: {
    sentence: "No query to the broker stays open for more than 15 minutes; an idle account has none.",
    checkedBy: ["MINUTE", "ORACLE"],
    isHalting: false,
    proof: "check-account, chaos",
  },
  I10: {
    sentence: "No order goes out over a cap: every gate is recorded at the last look, and none of them failed.",
    checkedBy: ["MINUTE"],
    isHalting: false,
    proof: "check-account, lib/domain/risk",
  },
  I11: {
    sentence: "One execution per plan, approved before by an allowed person; one decision per account and cycle.",
    checkedBy: ["MINUTE"],
    isHalting: false,
    proof: "check-system, unique constraints",
  },
  I12: {
    sentence: "The audit chain has no gap and no edit, and every order that was sent has its row.",
    checkedBy: ["MINUTE", "ORACLE"],
    isHalting: true,
    proof: "check-account, check-system, lib/server/audit",
  },
  I13: {
    sentence: "A mail is sent once for each event.",
    checkedBy: ["MINUTE"],
    isHalting: false,
    proof: "check-system, services/mail",
  },
  I14: {
    sentence: "A user's data appears in no other user's answers, exports or mail.",
    checkedBy: [],
    isHalting: false,
    proof: "services under lib/server/http",
  },
  I15: {
    sentence: "No secret is stored or logged in plain text.",
    checkedBy: [],
    isHalting: false,
    proof: "lib/server/secrets, lib/server/log",
  },
  I16: {
    sentence: "A write that was acknowledged is there after any restart.",
    checkedBy: ["ORACLE"],
    isHalting: false,
    proof: "chaos: what a worker reported as done before its death",
  },
  I17: {
    sentence: "A request gets one answer, in time.",
    checkedBy: [],
    isHalting: false,
    proof: "lib/server/http/serve",
  },
  I18: {
    sentence: "A revoked sign-in opens nothing.",
    checkedBy: [],
    isHalting: false,
    proof: "services/auth, lib/server/http/session",
  },
  I19: {
    sentence: "Tests reach no live environment.",
    checkedBy: [],
    isHalting: false,
    proof: "lib/server/env, the chaos run's own addresses",
  },
  I20: {
    sentence: "No stored price, quantity or amount is NaN, infinite or below nothing where it must not be.",
    checkedBy: ["MINUTE"],
    isHalting: false,
    proof: "check-account, constraints of the database",
  },
  I21: {
    sentence: "No row is orphaned, and every figure is the sum of its rows.",
    checkedBy: ["MINUTE", "ORACLE"],
    isHalting: false,
    proof: "check-account, foreign keys",
  },
  I22: {
    sentence: "Memory, connections, queues and tables stay bounded.",
    checkedBy: [],
    isHalting: false,
    proof: "docs/performance.md",
  },
  I23: {
    sentence: "The same inputs make the same plan and the same ids.",
    checkedBy: [],
    isHalting: false,
    proof: "services/cycles/replay-decisions, the golden backtests",
  },
  I24: {
    sentence: "After the last fault every account is followed again within a minute.",
    checkedBy: ["MINUTE", "ORACLE"],
    isHalting: false,
    proof: "check-account, chaos",
  },
  I25: {
    sentence: "The stored totals of trades and round trips match their rows.",
    checkedBy: ["MINUTE"],
    isHalting: false,
    proof: "check-account; services/trades/summarize-trades",
  },
  I26: {
    sentence:
      "Every whole share that we hold has a live stop; bare it is for at most 30 seconds of open market, and repaired first.",
    checkedBy: ["MINUTE", "ORACLE"],
    isHalting: false,
    proof: "check-account; services/orders/protect-positions; chaos looks at the exchange's own orders",
  },
} as const satisfies Record<
  string,
  { sentence: string; checkedBy: readonly ("MINUTE" | "ORACLE")[]; isHalting: boolean; proof: string }
>;

export type InvariantId = keyof typeof INVARIANTS;

export interface Breach {
  invariant: InvariantId;
  /** The order, intent, symbol or figure that is wrong. */
  subject: string;
  detail: string;
  /** How far two figures are apart that both move while the account trades: less here than there is positive. */
  difference?: string;
}

/** Whether the account must not trade on after this breach. */
export function isHalting({ invariant }: Breach): boolean {
  return INVARIANTS[invariant].isHalting;
}

export const breachText = (breaches: readonly Breach[]) =>
  breaches.map(({ invariant, subject, detail }) => `${invariant} ${subject}: ${detail}`).join("; ");
