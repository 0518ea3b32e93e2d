/** The rows of the model's tables, preallocated and filled anew by every sequence. */
import type { IntentStatusName, OrderOriginName, OrderStatusName } from "@/lib/domain/enums.ts";
import type { AnswerKind } from "@/lib/domain/protocol/answer.ts";

export type Side = "BUY" | "SELL";

export const SYMBOLS = ["AAA", "BBB"] as const;

const MOST = { intents: 32, orders: 64, executions: 96, events: 240, plans: 6, legs: 3, late: 24 };
export const MOST_INTENTS = MOST.intents;

/** A row of the table of intents; the last four are the checker's own knowledge. */
export interface ModelIntent {
  index: number;
  plan: number;
  leg: number;
  symbol: string;
  side: Side;
  qty: string;
  units: number;
  purpose: "ENTRY" | "EXIT" | "FLATTEN" | "PROTECT";
  status: IntentStatusName;
  hasPassedGate: boolean;
  submitEpoch: number | null;
  submittedAt: number;
  deadline: number | null;
  askCount: number;
  nextAskAt: number | null;
  createdAt: number;
  session: number;
  /** Marks committed and not used by a request yet. */
  tickets: number;
  /** Requests that the broker did not prove to have refused with 429. */
  posts: number;
  /** Orders that our requests made. */
  accepted: number;
  refusedKeys: boolean;
}

/** An order in the broker's books, which are the truth, and what our database holds of it. */
export interface ModelOrder {
  /** The intent whose client id it carries; -1 for an order placed elsewhere. */
  client: number;
  /** Sent by us: an order with our id may have been placed by another client. */
  isOurs: boolean;
  parent: number;
  symbol: string;
  side: Side;
  qty: string;
  units: number;
  filled: number;
  status: OrderStatusName;
  submittedAt: number;
  updatedAt: number;
  visibleAt: number;
  isCancelAsked: boolean;
  /** A stop, of a bracket or alone: it outlives its session. */
  isStop: boolean;
  row: {
    isKnown: boolean;
    origin: OrderOriginName;
    intent: number;
    status: OrderStatusName;
    filled: number;
    /** When its last fill was booked. */
    filledAt: number;
    updatedAt: number;
    /** Sum of the fill rows. */
    booked: number;
  };
}

export interface ModelExecution {
  order: number;
  units: number;
  cumulative: number;
  at: number;
  visibleAt: number;
}

export interface Report {
  order: number;
  status: OrderStatusName;
  filled: number;
  updatedAt: number;
  /** -1 where nothing was filled. */
  execution: number;
}

interface Leg {
  leg: number;
  symbol: string;
  side: Side;
  units: number;
}

export interface ModelPlan {
  legs: Leg[];
  count: number;
  /** Orders to cancel first. */
  cancel: number;
  /** Everything was to be sold when it was decided. */
  isFlattening: boolean;
}

export type WorkerStep =
  | "down"
  | "idle"
  | "lock_to_recover"
  | "lock_to_follow"
  | "lock_to_work"
  | "lock_to_protect"
  | "interrupt"
  | "give_up_unsent"
  | "settle_next"
  | "settle_ask"
  | "settle_walk"
  | "settle_decide"
  | "read_orders"
  | "apply_orders"
  | "read_fills"
  | "book_fills"
  | "set_watermark"
  | "decide"
  | "cancel"
  | "next_leg"
  | "release"
  | "release_wait"
  | "size"
  | "record"
  | "regate"
  | "mark"
  | "post"
  | "renew"
  | "look_up"
  | "record_answer"
  | "pay_after_sale"
  | "pay_in_recovery"
  | "protect_all"
  | "protect_next"
  | "size_protection"
  | "unlock";

export interface Worker {
  index: number;
  at: WorkerStep;
  epoch: number;
  isRecovering: boolean;
  sawReconciled: boolean;
  plan: number;
  /** Legs done of the plan, and the legs in the order of sending. */
  legsDone: number;
  order: Leg[];
  leg: Leg | null;
  hasSentBuy: boolean;
  resting: number[];
  patience: number;
  units: number;
  intent: number;
  isDenied: boolean;
  markDeadline: number | null;
  requests: number;
  wakeAt: number;
  /** When the order's turn to be sent came. */
  sendBeganAt: number | null;
  /** The switches were asked again since the mark. */
  hasLookedAgain: boolean;
  answer: AnswerKind;
  answered: Report;
  recordsTried: number;
  questions: number[];
  /** The questions' statuses as they were read, and that of the one which is asked. */
  statuses: IntentStatusName[];
  asked: IntentStatusName;
  questionsDone: number;
  isFound: boolean;
  wasWalked: boolean;
  found: Report;
  listed: Report[];
  listedCount: number;
  fills: number[];
  readAt: number;
  /** A protective order is being placed; its leg, the symbols still to come, and those that this payment is about. */
  isProtecting: boolean;
  cover: Leg;
  toProtect: string[];
  wasAsked: string[];
  afterProtecting: WorkerStep;
  /** Disturbances of the world when the payment began. */
  calmSince: number;
}

const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

const emptyReport = (): Report => ({ order: 0, status: "NEW", filled: 0, updatedAt: 0, execution: -1 });

const emptyIntent = (index: number): ModelIntent => ({
  index,
  plan: 0,
  leg: 0,
  symbol: SYMBOLS[0],
  side: "BUY",
  qty: "10",
  units: 10,
  purpose: "ENTRY",
  status: "GATED",
  hasPassedGate: false,
  submitEpoch: null,
  submittedAt: 0,
  deadline: null,
  askCount: 0,
  nextAskAt: null,
  createdAt: 0,
  session: 0,
  tickets: 0,
  posts: 0,
  accepted: 0,
  refusedKeys: false,
});

const emptyOrder = (): ModelOrder => ({
  client: -1,
  isOurs: false,
  parent: -1,
  symbol: SYMBOLS[0],
  side: "BUY",
  qty: "10",
  units: 10,
  filled: 0,
  status: "NEW",
  submittedAt: 0,
  updatedAt: 0,
  visibleAt: 0,
  isCancelAsked: false,
  isStop: false,
  row: { isKnown: false, origin: "OURS", intent: -1, status: "NEW", filled: 0, filledAt: 0, updatedAt: 0, booked: 0 },
});

const emptyWorker = (index: number): Worker => ({
  index,
  at: "idle",
  epoch: 0,
  isRecovering: false,
  sawReconciled: false,
  plan: 0,
  legsDone: 0,
  order: [],
  leg: null,
  hasSentBuy: false,
  resting: [],
  patience: 0,
  units: 0,
  intent: 0,
  isDenied: false,
  markDeadline: null,
  requests: 0,
  wakeAt: 0,
  sendBeganAt: null,
  hasLookedAgain: false,
  answer: "unknown",
  answered: emptyReport(),
  recordsTried: 0,
  questions: [],
  statuses: [],
  asked: "UNKNOWN",
  questionsDone: 0,
  isFound: false,
  wasWalked: false,
  found: emptyReport(),
  listed: many(MOST.orders * 2, emptyReport),
  listedCount: 0,
  fills: [],
  readAt: 0,
  isProtecting: false,
  cover: { leg: 0, symbol: SYMBOLS[0], side: "SELL", units: 0 },
  toProtect: [],
  wasAsked: [],
  afterProtecting: "unlock",
  calmSince: 0,
});

const emptyExecution = (): ModelExecution => ({ order: 0, units: 0, cumulative: 0, at: 0, visibleAt: 0 });

const emptyPlan = (): ModelPlan => ({
  legs: many(MOST.legs, (leg) => ({ leg, symbol: SYMBOLS[0], side: "BUY", units: 0 })),
  count: 0,
  cancel: -1,
  isFlattening: false,
});

/** All rows that a world has. */
export const emptyRows = () => ({
  intents: many(MOST.intents, emptyIntent),
  orders: many(MOST.orders, emptyOrder),
  executions: many(MOST.executions, emptyExecution),
  events: many(MOST.events, emptyReport),
  late: many(MOST.late, () => ({ intent: 0, arrivesAt: 0 })),
  plans: many(MOST.plans, emptyPlan),
  workers: many(2, emptyWorker),
});
