/** A worker's account cycle, one step at a time: decide, cancel, and each leg from record to answer. */
import { isTerminal } from "@/lib/domain/orders.ts";
import { sellable, askToCancel, copyReport, find, post } from "./broker.ts";
import { checkOwed, isFlattening, note, setIntent } from "./checks.ts";
import {
  applyReport,
  blocksLeg,
  importExecution,
  commit,
  markSubmitting,
  recordAnswer,
  renewMark,
} from "./database.ts";
import { draw } from "./random.ts";
import {
  MOST_INTENTS,
  SYMBOLS,
  type ModelIntent,
  type Side,
  type Worker,
  type WorkerStep,
  type World,
} from "./world.ts";

/** A read of the broker that fails ends the job; so does a transaction that was not confirmed. */
export function fails(world: World): boolean {
  const hasFailed = world.isFaulty && draw(world.random, 60) === 0;
  if (hasFailed) world.disturbances += 1;
  return hasFailed;
}

/** After a leg: a sale replaces the stops that were cancelled for it, a protective order makes room for the next one. */
const afterLeg = ({ isProtecting, leg }: Worker): WorkerStep =>
  isProtecting ? "protect_next" : leg?.side === "SELL" ? "pay_after_sale" : "next_leg";

const MOST_RECORD_TRIES = 4;

function isInFlight(world: World, symbol: string, side: Side): boolean {
  for (let i = 0; i < world.intentCount; i += 1) {
    const intent = world.intents[i]!;
    if (intent.symbol === symbol && intent.side === side && world.rules.isInFlight(intent.status)) return true;
  }
  return false;
}

/** A new plan from what the database says; or an old one, as a queue would hand it out twice. */
export function decide(world: World, worker: Worker): void {
  const { random } = world;
  worker.at = "cancel";
  worker.legsDone = 0;
  worker.hasSentBuy = false;
  worker.order.length = 0;
  const plan = world.plans[world.planCount];
  const isOld = world.planCount > 0 && (plan === undefined || draw(random, 4) === 0);
  if (isOld) {
    worker.plan = draw(random, world.planCount);
  } else if (plan !== undefined) {
    worker.plan = world.planCount;
    world.planCount += 1;
    plan.count = 0;
    plan.cancel = -1;
    plan.isFlattening = isFlattening(world.switches);
    for (const symbol of SYMBOLS) {
      const held = world.positions.get(symbol) ?? 0;
      const isBuy = held <= 0;
      const side: Side = isBuy ? "BUY" : "SELL";
      if (draw(random, 4) === 0 || isInFlight(world, symbol, side)) continue;
      const leg = plan.legs[plan.count]!;
      leg.leg = plan.count;
      leg.symbol = symbol;
      leg.side = side;
      leg.units = isBuy ? 6 + draw(random, 5) : held;
      plan.count += 1;
    }
    if (world.orderCount > 0 && draw(random, 6) === 0) plan.cancel = draw(random, world.orderCount);
  }
  const { legs, count } = world.plans[worker.plan]!;
  for (let i = 0; i < count; i += 1) worker.order.push(legs[i]!);
  if (worker.order.length > 1) worker.order.sort(world.rules.compareLegs);
  if (world.trace !== null)
    note(
      world,
      `  plan ${worker.plan}${isOld ? " again" : ""}: ${worker.order.map((leg) => `${leg.side} ${leg.units} ${leg.symbol}`).join(", ")}`,
    );
}

/** Cancels go out before any leg. */
export function cancel(world: World, worker: Worker): void {
  worker.at = "next_leg";
  const at = world.plans[worker.plan]!.cancel;
  if (at < 0) return;
  const { row, isOurs, parent } = world.orders[at]!;
  if (!isOurs || parent >= 0 || !row.isKnown || row.intent < 0 || isTerminal(row.status) || fails(world)) return;
  askToCancel(world, at);
  if (!world.rules.waitsForTheEnd) setIntent(world, world.intents[row.intent]!, "CANCELED");
}

const intentOf = (world: World, plan: number, leg: number): ModelIntent | null => {
  for (let i = 0; i < world.intentCount; i += 1) {
    const intent = world.intents[i]!;
    if (intent.plan === plan && intent.leg === leg) return intent;
  }
  return null;
};

const ENTRY = { side: "BUY", purpose: "ENTRY" } as const;
const EXIT = { side: "SELL", purpose: "EXIT" } as const;
const FLATTEN = { side: "SELL", purpose: "FLATTEN" } as const;
const purposeOf = (world: World, worker: Worker, side: Side) =>
  side === "BUY" ? ENTRY : world.plans[worker.plan]!.isFlattening ? FLATTEN : EXIT;

export function nextLeg(world: World, worker: Worker): void {
  const leg = worker.order[worker.legsDone];
  if (leg === undefined) {
    worker.at = "unlock";
    return;
  }
  worker.legsDone += 1;
  worker.leg = leg;
  worker.units = leg.units;
  worker.resting.length = 0;
  worker.isDenied = false;
  worker.sendBeganAt = null;
  worker.hasLookedAgain = false;
  worker.requests = 0;
  worker.recordsTried = 0;
  const isRecorded = world.rules.hasLegIndex && intentOf(world, worker.plan, leg.leg) !== null;
  const mayRelease =
    leg.side === "SELL" &&
    !isRecorded &&
    world.rules.refusalToSend(world.switches, purposeOf(world, worker, leg.side), worker.epoch) === null;
  worker.at = mayRelease ? "release" : "record";
}

/** Before a sale: our resting orders of the symbol are cancelled … */
export function release(world: World, worker: Worker): void {
  const symbol = worker.leg?.symbol ?? "";
  if (world.rules.owesBeforeCancel && hasRestingStop(world, symbol) && commit(world) !== "committed") {
    worker.at = "unlock";
    return;
  }
  if (world.rules.owesBeforeCancel && hasRestingStop(world, symbol)) world.owed.add(symbol);
  for (let i = 0; i < world.orderCount; i += 1) {
    const { row, symbol } = world.orders[i]!;
    if (!row.isKnown || row.origin !== "OURS" || symbol !== worker.leg?.symbol || isTerminal(row.status)) continue;
    worker.resting.push(i);
    if (fails(world)) continue;
    checkOwed(world, i);
    askToCancel(world, i);
  }
  worker.patience = 4;
  worker.at = "release_wait";
}

function hasRestingStop(world: World, symbol: string): boolean {
  for (let i = 0; i < world.orderCount; i += 1) {
    const { row, symbol: of, isStop } = world.orders[i]!;
    if (of === symbol && isStop && row.isKnown && row.origin === "OURS" && !isTerminal(row.status)) return true;
  }
  return false;
}

/** … and waited for until each is final. */
export function releaseWait(world: World, worker: Worker): void {
  worker.patience -= 1;
  for (const at of worker.resting) {
    const order = world.orders[at]!;
    // A broker that is healthy ends what it was asked to end.
    if (!world.isFaulty && order.isCancelAsked && !isTerminal(order.status)) order.status = "CANCELED";
    const step = world.rules.releaseStep(order.visibleAt <= world.now ? order.status : null, worker.patience <= 0);
    if (step === "wait") return;
    if (step === "give_up") {
      world.disturbances += 1;
      worker.at = afterLeg(worker);
      return;
    }
    copyReport(world, at, worker.found);
    if (commit(world) !== "lost") applyReport(world, worker.found);
  }
  for (let i = 0; i < world.executionCount; i += 1) {
    const { order, visibleAt } = world.executions[i]!;
    if (visibleAt <= world.now && worker.resting.includes(order)) importExecution(world, i);
  }
  worker.at = worker.isProtecting ? "size_protection" : "size";
}

/** What is free may be less than planned, or nothing. */
export function size(world: World, worker: Worker): void {
  worker.units = Math.min(worker.units, Math.max(0, sellable(world, worker.leg?.symbol ?? "")));
  worker.at = "record";
}

/** Each protective order is a plan of its own. */
const PLANS_OF_PROTECTION = 1_000;

/** T1. */
export function record(world: World, worker: Worker): void {
  const { leg } = worker;
  if (leg === null) return;
  const { isProtecting } = worker;
  const existing = world.rules.hasLegIndex && !isProtecting ? intentOf(world, worker.plan, leg.leg) : null;
  if (existing !== null) {
    worker.intent = existing.index;
    worker.at = existing.status === "GATED" ? "regate" : afterLeg(worker);
    return;
  }
  worker.at = afterLeg(worker);
  world.isFull ||= world.intentCount === MOST_INTENTS;
  const plan = isProtecting ? PLANS_OF_PROTECTION + world.intentCount : worker.plan;
  if (blocksLeg(world, leg, plan, isProtecting) || world.intentCount === MOST_INTENTS) return;
  const done = commit(world);
  if (done !== "lost") {
    const intent = world.intents[world.intentCount]!;
    world.intentCount += 1;
    const isGated = isProtecting || draw(world.random, 20) !== 0;
    intent.plan = plan;
    intent.leg = leg.leg;
    intent.symbol = leg.symbol;
    intent.side = leg.side;
    intent.units = Math.max(1, worker.units);
    intent.qty = String(intent.units);
    intent.purpose = isProtecting ? "PROTECT" : purposeOf(world, worker, leg.side).purpose;
    intent.hasPassedGate = isGated;
    intent.status = !isGated ? "DENIED" : worker.units === 0 ? "HALTED" : "GATED";
    intent.submitEpoch = intent.deadline = intent.nextAskAt = null;
    intent.submittedAt = intent.createdAt = world.now;
    intent.session = world.session;
    intent.askCount = intent.tickets = intent.posts = intent.accepted = 0;
    world.reached[intent.status] += 1;
    worker.intent = intent.index;
    if (world.trace !== null)
      note(world, `  intent ${intent.index}: ${intent.status}, ${intent.side} ${intent.qty} ${intent.symbol}`);
    if (intent.status === "GATED") worker.at = "regate";
  }
  if (done !== "committed") worker.at = "unlock";
}

/** The gates again, with what the database and the broker say now. */
export function regate(world: World, worker: Worker): void {
  const intent = world.intents[worker.intent]!;
  const { isProtecting } = worker;
  if (!isProtecting && fails(world)) {
    if (commit(world) !== "lost" && intent.status === "GATED") setIntent(world, intent, "HALTED");
    worker.at = "unlock";
    return;
  }
  const isHeld = intent.side === "BUY" && (world.positions.get(intent.symbol) ?? 0) !== 0;
  worker.isDenied = !isProtecting && (isHeld || draw(world.random, 16) === 0);
  worker.at = world.rules.marksBeforePost ? "mark" : "post";
}

/** T2. */
export function mark(world: World, worker: Worker): void {
  const intent = world.intents[worker.intent]!;
  const done = commit(world);
  const isMarked = done !== "lost" && markSubmitting(world, worker, intent);
  const isBelieved = done === "committed" || !world.rules.waitsForCommit;
  worker.at = !isBelieved ? "unlock" : isMarked || done === "lost" ? "post" : afterLeg(worker);
}

/** The one call. */
export function send(world: World, worker: Worker): void {
  const intent = world.intents[worker.intent]!;
  worker.recordsTried = 0;
  worker.sendBeganAt ??= world.now;
  if (!world.rules.mayPost(world.now, worker.markDeadline) && world.rules.marksBeforePost) {
    worker.answer = "withdrawn";
    worker.at = "record_answer";
    return;
  }
  if (worker.requests === 0 && !worker.hasLookedAgain && !world.rules.isFreshMark(world.now, intent.submittedAt)) {
    worker.wakeAt = world.now;
    worker.at = "renew";
    return;
  }
  post(world, worker, intent);
  if (!world.rules.postsOnce && worker.answer === "unknown" && worker.at === "record_answer") worker.at = "post";
  if (worker.at !== "renew") return;
  worker.wakeAt = world.now + world.rules.throttleWaitMs(draw(world.random, 4) * 5_000, draw(world.random, 2));
  if (world.rules.mayAskAgain(worker.requests)) return;
  worker.answer = "throttled";
  worker.at = "record_answer";
}

export function renew(world: World, worker: Worker): void {
  if (world.now < worker.wakeAt && world.isFaulty) return;
  const done = commit(world);
  const refusal = done === "lost" ? null : renewMark(world, worker, world.intents[worker.intent]!);
  if (done !== "committed") worker.at = "unlock";
  else if (refusal === null) {
    worker.hasLookedAgain = true;
    worker.at = "post";
  } else {
    worker.answer = "withdrawn";
    worker.at = "record_answer";
  }
}

/** The id is taken, says the broker: whose order is it? */
export function lookUp(world: World, worker: Worker): void {
  const found = fails(world) ? -1 : find(world, worker.intent);
  worker.answer = found < 0 ? "unknown" : "found";
  if (found >= 0) copyReport(world, found, worker.answered);
  worker.at = "record_answer";
}

/** T3, with some patience for the database. */
export function recordTheAnswer(world: World, worker: Worker): void {
  const done = commit(world);
  if (done !== "lost") recordAnswer(world, worker, world.intents[worker.intent]!);
  if (done === "committed") {
    worker.at = afterLeg(worker);
    return;
  }
  worker.recordsTried += 1;
  if (worker.recordsTried >= MOST_RECORD_TRIES) worker.at = "unlock";
}
