/** One sequence: what happens, then quiet, then what must be true. */
import { isTerminal, WORKING_STATUSES } from "@/lib/domain/orders.ts";
import { awaitsAnswer } from "@/lib/domain/protocol/intent-states.ts";
import { EXPIRE_AFTER_WINDOWS, SETTLE_WINDOW_MS } from "@/lib/domain/protocol/settings.ts";
import { advance, endSession } from "./broker.ts";
import { checkProtected, note, violate } from "./checks.ts";
import { applyEvent } from "./database.ts";
import { closeParkedIntents, happen, stepWorker } from "./events.ts";
import { draw, spread } from "./random.ts";
import { LONGEST_LATE_ACCEPT_MS, SYMBOLS, type World, type WorkerStep } from "./world.ts";

export const MOST_EVENTS = 25;

function begin(world: World, seed: number): void {
  const { random, switches } = world;
  random.state = seed;
  world.now = world.session = 0;
  world.hasUniqueIds = draw(random, 3) !== 0;
  world.isLagging = draw(random, 2) === 0;
  world.isFaulty = true;
  world.isStormy = draw(random, 12) === 0;
  world.workerCount = 1 + draw(random, 2);
  switches.account.haltedAt = null;
  switches.account.writerEpoch = 0;
  switches.account.killState = switches.systemKillState = switches.userKillState = "NONE";
  switches.isSymbolStopped = false;
  world.killedAt = world.orderWatermark = world.fillWatermark = null;
  world.isReconciled = draw(random, 8) !== 0;
  world.lockHolder = -1;
  world.intentCount = world.orderCount = world.executionCount = world.eventCount = 0;
  world.lateCount = world.planCount = world.externals = 0;
  world.fillIds.clear();
  world.owed.clear();
  world.disturbances = 0;
  world.isFull = false;
  for (const symbol of SYMBOLS) world.positions.set(symbol, 0);
  for (const worker of world.workers) worker.at = "idle";
  world.violation = null;
}

const MOST_QUIET_STEPS = 600;

/** A job of the first worker, to its end. */
function runJob(world: World, at: WorkerStep): void {
  const worker = world.workers[0]!;
  worker.at = at;
  for (let steps = 0; worker.at !== "idle" && world.violation === null; steps += 1) {
    stepWorker(world, worker);
    if (steps > MOST_QUIET_STEPS) violate(world, `a job does not end: ${worker.at}`);
  }
}

/** The faults stop; every worker ends what it does or dies; the account is followed as it is every minute. */
function quieten(world: World): void {
  const { random } = world;
  if (world.trace !== null) note(world, "quiet");
  world.isFaulty = false;
  world.disturbances += 1;
  const dies = draw(random, 2) === 0;
  for (const worker of world.workers) {
    if (dies) worker.at = "idle";
    else
      for (let i = 0; worker.at !== "idle" && worker.at !== "down" && i < MOST_QUIET_STEPS; i += 1)
        stepWorker(world, worker);
  }
  world.lockHolder = -1;
  if (draw(random, 2) === 0) while (world.eventCount > 0) applyEvent(world, world.events[--world.eventCount]!);
  advance(world, LONGEST_LATE_ACCEPT_MS);
  world.disturbances += 1;
  runJob(world, dies ? "lock_to_recover" : "lock_to_follow");
  for (let round = 0; round < 3 && world.violation === null; round += 1) {
    advance(world, 61_000);
    runJob(world, "lock_to_follow");
  }
}

const WORKING: ReadonlySet<string> = new Set(WORKING_STATUSES);

/** Every order is known and ours where it is ours, every fill is booked once, and nothing is in the air. */
function checkBooks(world: World): void {
  for (let i = 0; i < world.intentCount; i += 1) {
    const { status } = world.intents[i]!;
    if (awaitsAnswer(status) || status === "GATED") violate(world, `an intent is ${status} forever`);
  }
  const held = new Map(SYMBOLS.map((symbol) => [symbol as string, 0]));
  for (let i = 0; i < world.orderCount; i += 1) {
    const { row, isOurs, parent, status, filled, side, symbol, client } = world.orders[i]!;
    held.set(symbol, (held.get(symbol) ?? 0) + (side === "BUY" ? filled : -filled));
    if (!row.isKnown)
      violate(world, isOurs ? "an order was lost" : "an order placed elsewhere was not taken into the books");
    if (row.status !== status) violate(world, `an order is ${status} and recorded as ${row.status}`);
    if (row.filled !== filled || row.booked !== filled) violate(world, "fills were lost or doubled");
    if (isOurs && (row.origin !== "OURS" || row.intent !== client)) violate(world, "an order of ours has no intent");
    if (!isOurs && parent < 0 && row.origin !== "EXTERNAL") violate(world, "an order placed elsewhere counts as ours");
    if (!isOurs || row.intent < 0) continue;
    const intent = world.intents[row.intent]!.status;
    // Taken late beside a protective stop, for which the broker had shares as well: a person decides.
    if (intent === "PARKED" && world.switches.account.haltedAt !== null) continue;
    if (intent !== (WORKING.has(status) ? "LIVE" : status))
      violate(world, `an order is ${status} and its intent ${intent}`);
  }
  for (const [symbol, units] of held) {
    if (world.positions.get(symbol) !== units) violate(world, "a position differs from its fills");
    checkProtected(world, symbol);
  }
}

/** After the session no day order is alive: what was parked for the broker ends, and a person can close the rest. */
function checkEnd(world: World): void {
  endSession(world);
  runJob(world, "lock_to_follow");
  advance(world, (EXPIRE_AFTER_WINDOWS + 1) * SETTLE_WINDOW_MS);
  runJob(world, "lock_to_follow");
  if (world.violation !== null) return;
  for (let i = 0; i < world.intentCount; i += 1) {
    const { status, nextAskAt } = world.intents[i]!;
    if (status === "PARKED" && nextAskAt !== null) violate(world, "a parked order is asked for forever");
  }
  closeParkedIntents(world);
  for (let i = 0; i < world.intentCount; i += 1) {
    const { status, purpose } = world.intents[i]!;
    if (
      (status === "LIVE" && purpose !== "PROTECT") ||
      status === "PARKED" ||
      status === "GATED" ||
      awaitsAnswer(status)
    )
      violate(world, `an intent is ${status} after its session`);
  }
  for (let i = 0; i < world.orderCount; i += 1) {
    const { row, isStop } = world.orders[i]!;
    if (!isTerminal(row.status) && !isStop) violate(world, "an order outlived its session in our books");
  }
  checkBooks(world);
}

/**
 * Plays the sequence of a seed; null when everything held. Each event has chances of its own, so that events may be left
 * out (`isSkipped`) without changing the others: that is how a failing sequence is made short.
 */
export function play(
  world: World,
  seed: number,
  events = MOST_EVENTS,
  isSkipped?: (event: number) => boolean,
): string | null {
  begin(world, seed);
  for (let event = 0; event < events && world.violation === null; event += 1) {
    if (isSkipped?.(event)) continue;
    world.random.state = spread(seed + Math.imul(event + 1, 0x9e3779b1));
    happen(world);
  }
  world.random.state = spread(seed ^ 0x5bd1e995);
  if (world.violation === null) quieten(world);
  if (world.violation === null) checkBooks(world);
  if (world.violation === null) checkEnd(world);
  return world.violation;
}
