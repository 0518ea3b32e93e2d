/** What can happen next: a worker takes steps, or the world around it moves. */
import { isTerminal } from "@/lib/domain/orders.ts";
import { canStillTurnUp } from "@/lib/domain/protocol/lookup.ts";
import { SETTLE_WINDOW_MS } from "@/lib/domain/protocol/settings.ts";
import { advance, askToCancel, end, endSession, fill, find, placeElsewhere } from "./broker.ts";
import { checkResumed, isBuyingStopped, note, setIntent, violate } from "./checks.ts";
import {
  cancel,
  decide,
  mark,
  nextLeg,
  record,
  recordTheAnswer,
  regate,
  release,
  releaseWait,
  renew,
  send,
  size,
  lookUp,
} from "./cycle-steps.ts";
import { applyEvent, applyReport } from "./database.ts";
import {
  applyOrders,
  bookFills,
  haltUnsent,
  interrupt,
  readFills,
  readOrders,
  setWatermark,
  settleAsk,
  settleDecide,
  settleNext,
} from "./follow-steps.ts";
import { payAfterSale, payInRecovery, protectAll, protectNext, sizeProtection } from "./protect-steps.ts";
import { draw } from "./random.ts";
import { SYMBOLS, type Worker, type WorkerStep, type World } from "./world.ts";

/** Takes the account's lock and a new epoch; a job that does not get it leaves the work to the process that has it. */
function lock(world: World, worker: Worker, next: WorkerStep): void {
  const isRecovery = worker.at === "lock_to_recover";
  worker.at = "idle";
  worker.isProtecting = false;
  if (world.lockHolder >= 0) return;
  world.lockHolder = worker.index;
  world.switches.account.writerEpoch += 1;
  worker.epoch = world.switches.account.writerEpoch;
  worker.sawReconciled = world.isReconciled;
  worker.isRecovering = isRecovery || !world.isReconciled;
  worker.at = next === "give_up_unsent" && worker.isRecovering ? "interrupt" : next;
  if (next === "decide" && !world.isReconciled && world.rules.recoversBeforeWork) unlock(world, worker);
}

function unlock(world: World, worker: Worker): void {
  if (world.lockHolder === worker.index) world.lockHolder = -1;
  worker.at = "idle";
}

const STEPS: Record<WorkerStep, (world: World, worker: Worker) => void> = {
  down: () => undefined,
  idle: () => undefined,
  lock_to_recover: (world, worker) => lock(world, worker, "interrupt"),
  lock_to_follow: (world, worker) => lock(world, worker, "give_up_unsent"),
  lock_to_work: (world, worker) => lock(world, worker, "decide"),
  lock_to_protect: (world, worker) => lock(world, worker, "protect_all"),
  interrupt,
  give_up_unsent: haltUnsent,
  settle_next: settleNext,
  settle_ask: settleAsk,
  settle_walk: settleAsk,
  settle_decide: settleDecide,
  read_orders: readOrders,
  apply_orders: applyOrders,
  read_fills: readFills,
  book_fills: bookFills,
  set_watermark: setWatermark,
  decide,
  cancel,
  next_leg: nextLeg,
  release,
  release_wait: releaseWait,
  size,
  record,
  regate,
  mark,
  post: send,
  renew,
  look_up: lookUp,
  record_answer: recordTheAnswer,
  pay_after_sale: payAfterSale,
  pay_in_recovery: payInRecovery,
  protect_all: protectAll,
  protect_next: protectNext,
  size_protection: sizeProtection,
  unlock,
};

export function stepWorker(world: World, worker: Worker): void {
  if (world.trace !== null) note(world, `worker ${worker.index}: ${worker.at}`);
  if (world.lastWorker !== worker.index) world.disturbances += 1;
  world.lastWorker = worker.index;
  STEPS[worker.at](world, worker);
}

/** What the queue and the clock hand out; most of it is work. */
const JOBS: WorkerStep[] = [
  ...(["lock_to_follow", "lock_to_follow", "lock_to_protect"] as const),
  ...(["lock_to_work", "lock_to_work", "lock_to_work", "lock_to_work"] as const),
];

function wake(world: World, worker: Worker): void {
  if (worker.at === "down") worker.at = "lock_to_recover";
  else if (worker.at === "idle") worker.at = JOBS[draw(world.random, JOBS.length)]!;
}

function crash(world: World, worker: Worker): void {
  if (world.lockHolder === worker.index) world.lockHolder = -1;
  if (worker.at !== "idle" && worker.at !== "down") world.crashes += 1;
  worker.at = "down";
}

function moveBroker(world: World): void {
  const { random } = world;
  if (world.orderCount === 0) return;
  const index = draw(random, world.orderCount);
  const order = world.orders[index]!;
  if (isTerminal(order.status) || order.status === "HELD") return;
  const left = order.units - order.filled;
  const kind = draw(random, 8);
  if (kind < 3) fill(world, index, left);
  else if (kind < 5) fill(world, index, 1 + draw(random, left));
  else if (order.isCancelAsked || kind === 5) end(world, index, "CANCELED");
  else if (kind === 6 && order.filled === 0 && order.status !== "NEW") end(world, index, "REJECTED");
  else if (order.status === "PENDING_NEW" || order.status === "ACCEPTED") {
    order.status = "NEW";
    order.updatedAt = world.now;
  } else askToCancel(world, index);
}

/** Any event on its way: now, again later, or never. */
function deliver(world: World): void {
  if (world.eventCount === 0) return;
  const at = draw(world.random, world.eventCount);
  const event = world.events[at]!;
  const outcome = draw(world.random, 8);
  if (outcome !== 0) {
    if (world.trace !== null)
      note(
        world,
        `  trade update: order ${event.order} ${event.status} ${event.filled}${outcome < 3 ? ", not for the last time" : ""}`,
      );
    applyEvent(world, event);
  }
  if (outcome === 1 || outcome === 2) return;
  world.eventCount -= 1;
  world.events[at] = world.events[world.eventCount]!;
  world.events[world.eventCount] = event;
}

function toggleKillSwitch(world: World): void {
  const { random, switches } = world;
  const isOn = isBuyingStopped(switches);
  switches.systemKillState = switches.account.killState = switches.userKillState = "NONE";
  switches.isSymbolStopped = false;
  world.killedAt = null;
  if (isOn) return;
  const level = draw(random, 6);
  if (level === 0) switches.systemKillState = "NO_NEW_ENTRIES";
  else if (level === 1) switches.account.killState = "REDUCE_ONLY";
  else if (level === 2) switches.userKillState = "NO_NEW_ENTRIES";
  else if (level === 3) switches.account.killState = "FLATTEN";
  else if (level === 4) switches.userKillState = "FLATTEN";
  // Of whichever symbol the orders are: the model's leg asks as the service does.
  else switches.isSymbolStopped = true;
  world.killedAt = world.now;
}

/** A person resumes a halted account, or is told why not. */
function resume(world: World): void {
  const { account } = world.switches;
  if (account.haltedAt === null) return;
  const intents = world.intents.slice(0, world.intentCount);
  if (world.rules.refusalToResume(intents, world.isReconciled) !== null) return;
  checkResumed(world);
  account.haltedAt = null;
}

/** A person closes what is parked, after one more look into the broker's lists. */
export function closeParkedIntents(world: World): void {
  for (let i = 0; i < world.intentCount; i += 1) {
    const intent = world.intents[i]!;
    if (intent.status !== "PARKED") continue;
    const found = find(world, i);
    if (found >= 0) {
      const { status, filled, updatedAt } = world.orders[found]!;
      applyReport(world, { order: found, status, filled, updatedAt, execution: -1 });
    }
    const order = found < 0 ? null : world.orders[found]!;
    const closing = world.rules.closeParked({
      status: intent.status,
      order: order && { status: order.status, isSame: world.rules.identityMismatch(intent, order) === null },
      canStillTurnUp: canStillTurnUp(world.session > intent.session, world.now - intent.submittedAt, SETTLE_WINDOW_MS),
      wasSwept: true,
    });
    if (!("status" in closing)) continue;
    if (order === null && world.late.some((late, at) => at < world.lateCount && late.intent === i))
      violate(world, "a parked order was closed while it could still turn up");
    setIntent(world, intent, closing.status);
  }
}

/** An order placed by hand, or with an id of ours by another holder of the keys. */
function interfere(world: World): void {
  const { random } = world;
  if (world.externals >= 4) return;
  const symbol = SYMBOLS[draw(random, 2)]!;
  if (draw(random, 2) === 0 || world.intentCount === 0 || !world.hasUniqueIds)
    return placeElsewhere(world, -1, symbol, draw(random, 2) === 0 ? "BUY" : "SELL", 1 + draw(random, 5));
  const client = draw(random, world.intentCount);
  const intent = world.intents[client]!;
  if (find(world, client, true) < 0) placeElsewhere(world, client, intent.symbol, intent.side, intent.units + 1);
}

const TIMES_MS = [1_000, 5_000, 16_000, 20_000, 61_000, 61_000, 130_000, 700_000] as const;

/** Of a hundred events; the rest are steps of the workers. */
const CHANCES: [until: number, happen: (world: World) => void][] = [
  [10, moveBroker],
  [18, deliver],
  [24, (world) => advance(world, TIMES_MS[draw(world.random, TIMES_MS.length)]!)],
  [29, (world) => crash(world, world.workers[draw(world.random, world.workerCount)]!)],
  [31, toggleKillSwitch],
  [32, (world) => void (world.lockHolder = -1)],
  [33, interfere],
  [35, resume],
  [36, endSession],
  [37, closeParkedIntents],
];
const HAPPENING = Array.from({ length: 100 }, (_, i) => CHANCES.find(([until]) => i < until)?.[1] ?? null);
const NAMES = new Map(
  CHANCES.map(([, happen], i) => [
    happen,
    [
      "broker",
      "update",
      "time",
      "crash",
      "kill switch",
      "lock lost",
      "by hand",
      "resume",
      "session ends",
      "close parked",
    ][i],
  ]),
);

const MOST_STEPS_AT_ONCE = 7;

/** One event of a sequence. */
export function happen(world: World): void {
  const { random } = world;
  const happening = HAPPENING[draw(random, 100)]!;
  if (happening !== null) {
    world.disturbances += 1;
    if (world.trace !== null) note(world, `${NAMES.get(happening)} (t=${world.now})`);
    happening(world);
    return;
  }
  const worker = world.workers[draw(random, world.workerCount)]!;
  if (worker.at === "down" || worker.at === "idle") wake(world, worker);
  for (let steps = 1 + draw(random, MOST_STEPS_AT_ONCE); steps > 0 && world.violation === null; steps -= 1)
    stepWorker(world, worker);
}
