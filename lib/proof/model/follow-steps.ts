/** What a worker does to know what became of its orders: recovery, the settling of unknowns, reconciliation. */
import { isTerminal } from "@/lib/domain/orders.ts";
import { PARKED_ASK_MS, SETTLE_WINDOW_MS, UNSENT_DEADLINE_MS } from "@/lib/domain/protocol/settings.ts";
import { awaitsAnswer } from "@/lib/domain/protocol/intent-states.ts";
import { copyReport, find } from "./broker.ts";
import { checkRecovered, setIntent } from "./checks.ts";
import { fails } from "./cycle-steps.ts";
import { adopt, applyReport, importExecution, commit, giveUp, letOut } from "./database.ts";
import type { ModelIntent, Worker, World } from "./world.ts";

/** A recovery that fails takes the account out of work until one succeeds. */
function failRecovery(world: World, worker: Worker): void {
  if (worker.isRecovering) world.isReconciled = false;
  worker.at = "unlock";
}

/** What the last process left: the sent are looked up, the unsent are halted. */
export function interrupt(world: World, worker: Worker): void {
  const done = commit(world);
  if (done !== "lost") {
    for (let i = 0; i < world.intentCount; i += 1) {
      const intent = world.intents[i]!;
      const step = world.rules.recoveryStep(intent.status, intent.hasPassedGate);
      if (step === "ask") {
        setIntent(world, intent, "UNKNOWN");
        intent.askCount = 0;
        intent.nextAskAt = world.rules.nextAskAtMs(world.now, 0);
      } else if (step === "halt") {
        if (world.rules.recoverySends) {
          worker.isDenied = true;
          letOut(world, worker, intent);
        } else setIntent(world, intent, "HALTED");
      }
    }
  }
  if (done === "committed") worker.at = "give_up_unsent";
  else failRecovery(world, worker);
}

/** Recorded long ago and never marked: a sender that still holds it is refused at the mark. The unresolved intents are read then. */
export function haltUnsent(world: World, worker: Worker): void {
  worker.questions.length = worker.statuses.length = 0;
  worker.questionsDone = 0;
  const isWritten = commit(world) !== "lost";
  for (let i = 0; i < world.intentCount; i += 1) {
    const intent = world.intents[i]!;
    if (isWritten && intent.status === "GATED" && intent.createdAt < world.now - UNSENT_DEADLINE_MS)
      setIntent(world, intent, "HALTED");
    if (
      world.rules.isUnresolved(intent.status, intent.deadline, world.now) &&
      world.rules.isLookupDue(intent.status, intent.nextAskAt, world.now, worker.isRecovering)
    ) {
      worker.questions.push(i);
      worker.statuses.push(intent.status);
    }
  }
  worker.at = "settle_next";
}

export function settleNext(world: World, worker: Worker): void {
  const question = worker.questions[worker.questionsDone];
  if (question === undefined) {
    worker.at = "read_orders";
    return;
  }
  worker.asked = worker.statuses[worker.questionsDone]!;
  worker.questionsDone += 1;
  worker.intent = question;
  worker.wasWalked = false;
  worker.at = "settle_ask";
}

/** The broker is asked by our id, and before an intent is closed among all its orders. */
export function settleAsk(world: World, worker: Worker): void {
  if (fails(world)) return failRecovery(world, worker);
  const found = find(world, worker.intent);
  worker.isFound = found >= 0;
  if (found >= 0) copyReport(world, found, worker.answered);
  worker.wasWalked = worker.at === "settle_walk";
  worker.at = "settle_decide";
}

const hasOrder = (world: World, intent: ModelIntent): boolean => {
  for (let i = 0; i < world.orderCount; i += 1) {
    const { row } = world.orders[i]!;
    if (row.isKnown && row.intent === intent.index) return true;
  }
  return false;
};

const facts = {
  status: "UNKNOWN" as ModelIntent["status"],
  isFound: false,
  wasWalked: false,
  waitedMs: 0,
  settleWindowMs: SETTLE_WINDOW_MS,
  isSessionOver: false,
  hasOrder: false,
};

export function settleDecide(world: World, worker: Worker): void {
  const { rules } = world;
  const intent = world.intents[worker.intent]!;
  facts.status = worker.asked;
  facts.isFound = worker.isFound;
  facts.wasWalked = worker.wasWalked;
  facts.waitedMs = world.now - intent.submittedAt;
  facts.isSessionOver = world.session > intent.session;
  facts.hasOrder = hasOrder(world, intent);
  const step = rules.afterLookup(facts);
  if (step === "walk") {
    worker.at = "settle_walk";
    return;
  }
  worker.at = "settle_next";
  if (step === "park" && rules.sendsAgain) return sendAgain(world, worker, intent);
  const done = commit(world);
  if (done !== "lost") {
    if (step === "adopt") adopt(world, intent, worker.answered);
    else if (step === "park") giveUp(world, intent, worker.asked, rules.parksAs, SETTLE_WINDOW_MS);
    else if (step === "expire") giveUp(world, intent, worker.asked, "EXPIRED", SETTLE_WINDOW_MS);
    else if (awaitsAnswer(worker.asked) && awaitsAnswer(intent.status)) {
      setIntent(world, intent, "UNKNOWN");
      intent.askCount += 1;
      intent.nextAskAt = rules.nextAskAtMs(world.now, intent.askCount, intent.submittedAt + SETTLE_WINDOW_MS);
    } else if (intent.status === "PARKED") {
      intent.nextAskAt = world.now + PARKED_ASK_MS;
    }
  }
  if (done !== "committed") failRecovery(world, worker);
}

/** Only a mutant does this. */
function sendAgain(world: World, worker: Worker, intent: ModelIntent): void {
  letOut(world, worker, intent);
  worker.order.length = worker.legsDone = worker.requests = 0;
  worker.at = "post";
}

/** Orders since the watermark, open ones, and those that we believe to be working. */
export function readOrders(world: World, worker: Worker): void {
  if (fails(world)) return failRecovery(world, worker);
  worker.readAt = world.now;
  worker.listedCount = 0;
  const from = world.rules.readFromMs(world.orderWatermark);
  for (let i = 0; i < world.orderCount; i += 1) {
    const { submittedAt, status, visibleAt, row, parent } = world.orders[i]!;
    if (visibleAt > world.now || parent >= 0) continue;
    const isListed = from === null || submittedAt > from || !isTerminal(status);
    if (!isListed && !(row.isKnown && !isTerminal(row.status))) continue;
    copyReport(world, i, worker.listed[worker.listedCount]!);
    worker.listedCount += 1;
  }
  // Legs are asked one by one where their parent's row is no longer in the lists.
  for (let i = 0; i < world.orderCount; i += 1) {
    const { row, parent } = world.orders[i]!;
    if (parent < 0 || !row.isKnown || isTerminal(row.status)) continue;
    copyReport(world, i, worker.listed[worker.listedCount]!);
    worker.listedCount += 1;
  }
  worker.at = "apply_orders";
}

export function applyOrders(world: World, worker: Worker): void {
  for (let i = 0; i < worker.listedCount; i += 1) {
    const done = commit(world);
    if (done !== "lost") applyReport(world, worker.listed[i]!);
    if (done !== "committed") return failRecovery(world, worker);
  }
  worker.at = "read_fills";
}

export function readFills(world: World, worker: Worker): void {
  if (fails(world)) return failRecovery(world, worker);
  worker.fills.length = 0;
  const from = world.rules.readFromMs(world.fillWatermark);
  for (let i = 0; i < world.executionCount; i += 1) {
    const { at, visibleAt } = world.executions[i]!;
    if (visibleAt <= world.now && (from === null || at > from)) worker.fills.push(i);
  }
  worker.at = "book_fills";
}

export function bookFills(world: World, worker: Worker): void {
  for (const at of worker.fills) {
    const order = world.executions[at]!.order;
    // An execution of an order that is not known yet: the order is fetched first.
    if (!world.orders[order]!.row.isKnown) {
      const { parent } = world.orders[order]!;
      copyReport(world, parent >= 0 && !world.orders[parent]!.row.isKnown ? parent : order, worker.found);
      applyReport(world, worker.found);
    }
    const done = commit(world);
    if (done !== "lost") importExecution(world, at);
    if (done !== "committed") return failRecovery(world, worker);
  }
  worker.at = "set_watermark";
}

export function setWatermark(world: World, worker: Worker): void {
  const done = commit(world);
  if (done !== "lost") {
    world.orderWatermark = world.fillWatermark = worker.readAt;
    world.isReconciled = true;
  }
  if (done === "committed" && worker.isRecovering) {
    checkRecovered(world, worker);
    worker.at = "pay_in_recovery";
  } else worker.at = world.rules.protectsInRounds ? "protect_all" : "unlock";
}
