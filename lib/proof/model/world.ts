/** The state of the model: a database, a broker and workers, as preallocated rows that every sequence fills anew. */
import type { IntentStatusName } from "@/lib/domain/enums.ts";
import type { Switches } from "@/lib/server/services/orders/refusal-to-send.ts";
import type { Random } from "./random.ts";
import type { Rules } from "./rules.ts";
import {
  emptyRows,
  type ModelExecution,
  type ModelIntent,
  type ModelOrder,
  type ModelPlan,
  type Report,
  type Worker,
} from "./world-rows.ts";

export { MOST_INTENTS, SYMBOLS } from "./world-rows.ts";
export type { ModelIntent, ModelOrder, Report, Side, Worker, WorkerStep } from "./world-rows.ts";

export const SESSION_MS = 23_400_000;
/** The longest that the modelled broker keeps a request before it takes it. */
export const LONGEST_LATE_ACCEPT_MS = 240_000;
/** The longest that the modelled broker's lists lag behind its books; shorter than the overlap of the watermark. */
export const LONGEST_LAG_MS = 40_000;

export interface World {
  rules: Rules;
  random: Random;
  now: number;
  session: number;
  /** What the broker does with a client id that it has seen. */
  hasUniqueIds: boolean;
  isLagging: boolean;
  isFaulty: boolean;
  /** The broker answers most requests with 429. */
  isStormy: boolean;
  workerCount: number;
  switches: Switches;
  killedAt: number | null;
  isReconciled: boolean;
  orderWatermark: number | null;
  fillWatermark: number | null;
  lockHolder: number;
  intents: ModelIntent[];
  intentCount: number;
  orders: ModelOrder[];
  orderCount: number;
  executions: ModelExecution[];
  executionCount: number;
  fillIds: Set<string>;
  positions: Map<string, number>;
  /** Symbols with an open row of owed stops. */
  owed: Set<string>;
  events: Report[];
  eventCount: number;
  late: { intent: number; arrivesAt: number }[];
  lateCount: number;
  plans: ModelPlan[];
  planCount: number;
  workers: Worker[];
  externals: number;
  /** Faults, other workers and changes at the broker so far: where none came in between, what was begun must succeed. */
  disturbances: number;
  lastWorker: number;
  /** The preallocated rows did not suffice: nothing more could be recorded or sent. */
  isFull: boolean;
  /** How often intents came to be what, in all sequences so far: what was never reached was not tried. */
  reached: Record<IntentStatusName, number>;
  requests: number;
  crashes: number;
  violation: string | null;
  trace: string[] | null;
}

const openSwitches = (): Switches => ({
  account: {
    status: "ACTIVE",
    deletedAt: null,
    haltedAt: null,
    sealedKeys: "sealed",
    environment: "PAPER",
    writerEpoch: 0,
    killState: "NONE",
  },
  systemKillState: "NONE",
  userKillState: "NONE",
  isSymbolStopped: false,
  newestProtocol: 0,
  isAutomationPaused: false,
  isSwitchedOff: false,
  isUserDisabled: false,
  isPaperOnly: true,
});

const noneReached = (): Record<IntentStatusName, number> => ({
  PLANNED: 0,
  GATED: 0,
  DENIED: 0,
  SUBMITTING: 0,
  UNKNOWN: 0,
  PARKED: 0,
  LIVE: 0,
  FILLED: 0,
  CANCELED: 0,
  REJECTED: 0,
  EXPIRED: 0,
  HALTED: 0,
});

export function createWorld(rules: Rules): World {
  return {
    ...emptyRows(),
    rules,
    random: { state: 0 },
    now: 0,
    session: 0,
    hasUniqueIds: true,
    isLagging: false,
    isFaulty: true,
    isStormy: false,
    workerCount: 1,
    switches: openSwitches(),
    killedAt: null,
    isReconciled: false,
    orderWatermark: null,
    fillWatermark: null,
    lockHolder: -1,
    intentCount: 0,
    orderCount: 0,
    executionCount: 0,
    fillIds: new Set(),
    positions: new Map(),
    owed: new Set(),
    eventCount: 0,
    lateCount: 0,
    planCount: 0,
    externals: 0,
    disturbances: 0,
    lastWorker: 0,
    isFull: false,
    reached: noneReached(),
    requests: 0,
    crashes: 0,
    violation: null,
    trace: null,
  };
}
