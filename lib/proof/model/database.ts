/** The modelled database: each function is one transaction of the services, atomic between two steps of any worker. */
import type { IntentStatusName, SideName } from "@/lib/domain/enums.ts";
import { isTerminal } from "@/lib/domain/orders.ts";
import { rivalOf } from "@/lib/domain/protocol/report.ts";
import { PARKED_ASK_MS, SUBMIT_DEADLINE_MS } from "@/lib/domain/protocol/settings.ts";
import { checkGivenUp, grantTicket, note, setIntent, setOrderRow, violate } from "./checks.ts";
import { draw } from "./random.ts";
import type { ModelIntent, Report, Worker, World } from "./world.ts";

const HALTED_AT = new Date(0);
const QTY = Array.from({ length: 64 }, (_, units) => String(units));
const ORDER_IDS = Array.from({ length: 64 }, (_, index) => `order-${index}`);

export type Commit = "committed" | "lost" | "unconfirmed";

/** Whether a transaction takes place, and whether its worker learns so. */
export function commit(world: World): Commit {
  if (!world.isFaulty) return "committed";
  const outcome = draw(world.random, 50);
  if (outcome < 2) world.disturbances += 1;
  return outcome === 0 ? "lost" : outcome === 1 ? "unconfirmed" : "committed";
}

export function halt(world: World, why: string): void {
  if (world.switches.account.haltedAt === null && world.trace !== null) note(world, `  halted: ${why}`);
  world.switches.account.haltedAt ??= HALTED_AT;
}

/** The partial unique index of the table of intents. */
const LIVE: ReadonlySet<IntentStatusName> = new Set(["PLANNED", "GATED", "SUBMITTING", "UNKNOWN", "LIVE"]);

function rivalStatus(world: World, intent: ModelIntent): IntentStatusName | null {
  for (let i = 0; i < world.intentCount; i += 1) {
    const other = world.intents[i]!;
    if (other !== intent && other.symbol === intent.symbol && other.side === intent.side && LIVE.has(other.status))
      return other.status;
  }
  return null;
}

/** What the broker says about an order, taken over: nothing goes backwards, what is not ours is external. */
export function applyReport(world: World, report: Report, hasLegs = true): void {
  const { rules } = world;
  const order = world.orders[report.order]!;
  const { row } = order;
  let intent: ModelIntent | null = row.isKnown && row.origin === "OURS" ? world.intents[row.intent]! : null;
  if (intent === null && order.parent >= 0) {
    const parent = world.orders[order.parent]!.row;
    if (parent.isKnown && parent.origin === "OURS") intent = world.intents[parent.intent]!;
  } else if (intent === null && order.client >= 0) {
    const claimed = world.intents[order.client]!;
    const mismatch = claimed.hasPassedGate ? rules.identityMismatch(claimed, order) : "sent without a passed gate";
    if (mismatch === null) intent = claimed;
    else {
      if (claimed.status === "SUBMITTING" || claimed.status === "UNKNOWN") {
        setIntent(world, claimed, "PARKED");
        claimed.nextAskAt = null;
      }
      if (!row.isKnown) halt(world, "the broker has an order that we did not decide");
    }
  }
  if (intent === null && !rules.importsExternal) return;
  const isOlder = row.isKnown && report.updatedAt < row.updatedAt;
  setOrderRow(world, order, rules.orderAfterReport(row.isKnown ? row.status : null, report.status, isOlder));
  row.isKnown = true;
  row.origin = intent === null ? "EXTERNAL" : "OURS";
  row.intent = intent === null ? -1 : intent.index;
  row.filled = Math.max(row.filled, report.filled);
  row.updatedAt = Math.max(row.updatedAt, report.updatedAt);
  if (intent !== null && order.parent < 0) {
    if (intent.qty !== order.qty || intent.symbol !== order.symbol || intent.side !== order.side)
      violate(world, "an order that differs from the decision was adopted");
    const follows = rules.intentAfterReport(
      intent.status,
      row.status,
      rivalOf(intent.side, rivalStatus(world, intent)),
    );
    if (follows.status !== null) {
      setIntent(world, intent, follows.status);
      intent.nextAskAt = null;
      intent.submitEpoch ??= world.switches.account.writerEpoch;
    }
    if (follows.halts) halt(world, "two live orders");
  }
  // Legs come nested in their parent's answer; a trade update is of one order.
  for (let i = report.order + 1; hasLegs && i < world.orderCount; i += 1) {
    const leg = world.orders[i]!;
    if (leg.parent !== report.order) continue;
    legReport.order = i;
    legReport.status = leg.status;
    legReport.filled = leg.filled;
    legReport.updatedAt = leg.updatedAt;
    applyReport(world, legReport);
  }
}
const legReport: Report = { order: 0, status: "NEW", filled: 0, updatedAt: 0, execution: -1 };

/** One execution: fill row, position and the order's progress, once. */
export function importExecution(world: World, index: number): void {
  const { rules, positions, fillIds } = world;
  const { order: at, units, cumulative } = world.executions[index]!;
  const order = world.orders[at]!;
  const { row } = order;
  if (!row.isKnown) return;
  const id = rules.executionId(ORDER_IDS[at]!, QTY[cumulative]!);
  if (fillIds.has(id)) return;
  const isTorn = !rules.booksFillsWhole && world.isFaulty && draw(world.random, 20) === 0;
  fillIds.add(id);
  if (isTorn) return;
  row.booked += units;
  if (row.filledAt === 0) row.filledAt = world.now;
  if (row.booked > order.units) violate(world, "more was booked than the order had");
  positions.set(order.symbol, (positions.get(order.symbol) ?? 0) + (order.side === "BUY" ? units : -units));
  if (cumulative <= row.filled) return;
  row.filled = cumulative;
  if (isTerminal(row.status)) return;
  const isComplete = cumulative === order.units;
  setOrderRow(world, order, isComplete ? "FILLED" : "PARTIALLY_FILLED");
  if (!isComplete || row.intent < 0 || order.parent >= 0) return;
  const intent = world.intents[row.intent]!;
  if (intent.status === "LIVE") setIntent(world, intent, "FILLED");
}

/** A trade update: the order, then its execution, in one transaction; a leg without its parent is left to reconciliation. */
export function applyEvent(world: World, event: Report): void {
  const order = world.orders[event.order]!;
  if (!order.row.isKnown && order.parent >= 0 && !world.orders[order.parent]!.row.isKnown) return;
  applyReport(world, event, false);
  if (event.execution >= 0) importExecution(world, event.execution);
}

export function blocksLeg(
  world: World,
  { symbol, side, leg }: { symbol: string; side: SideName; leg: number },
  plan: number,
  isProtective: boolean,
): boolean {
  for (let i = 0; i < world.intentCount; i += 1) {
    const other = world.intents[i]!;
    if (world.rules.hasLegIndex && other.plan === plan && other.leg === leg) return true;
    if (other.symbol !== symbol || other.side !== side) continue;
    if (world.rules.blocksNewOrder(other.status, isProtective) || (world.rules.hasLiveIndex && LIVE.has(other.status)))
      return true;
  }
  return false;
}

/** T2. True when this worker may send. */
export function markSubmitting(world: World, worker: Worker, intent: ModelIntent): boolean {
  const { rules } = world;
  const refusal = rules.refusalToSend(world.switches, intent, worker.epoch, intent.purpose === "PROTECT");
  const step = rules.markStep(intent.status, refusal, worker.isDenied);
  if (step === "leave" || (rules.comparesStatusAtMark && intent.status !== "GATED")) return false;
  if (step === "mark") letOut(world, worker, intent);
  else setIntent(world, intent, step === "halt" ? "HALTED" : "DENIED");
  return step === "mark";
}

/** The mark itself. */
export function letOut(world: World, worker: Worker, intent: ModelIntent): void {
  setIntent(world, intent, "SUBMITTING");
  intent.submitEpoch = worker.epoch;
  intent.submittedAt = world.now;
  intent.deadline = world.now + SUBMIT_DEADLINE_MS;
  worker.markDeadline = intent.deadline;
  grantTicket(world, worker, intent);
}

/** Before the same id goes out again after a 429. Null when it may. */
export function renewMark(world: World, worker: Worker, intent: ModelIntent): string | null {
  const refusal = world.rules.refusalToRenew(
    intent.status,
    intent.submitEpoch,
    worker.epoch,
    world.rules.refusalToSend(world.switches, intent, worker.epoch, intent.purpose === "PROTECT"),
  );
  if (refusal !== null) return refusal;
  intent.submittedAt = world.now;
  intent.deadline = world.now + SUBMIT_DEADLINE_MS;
  worker.markDeadline = intent.deadline;
  grantTicket(world, worker, intent);
  return null;
}

/** An order found by our id; an intent that stays parked has its answer, and waits for a person. */
export function adopt(world: World, intent: ModelIntent, found: Report): void {
  applyReport(world, found);
  if (intent.status === "PARKED") intent.nextAskAt = null;
}

/** T3. */
export function recordAnswer(world: World, worker: Worker, intent: ModelIntent): void {
  const { rules } = world;
  const holdsOrder = worker.answer === "accepted" || worker.answer === "found";
  const isSame = holdsOrder && world.orders[worker.answered.order]!.client === intent.index;
  const isOnlySend = intent.submitEpoch === worker.epoch;
  const step = rules.afterAnswer(worker.answer, intent.status, isSame, isOnlySend);
  if (step.halts) halt(world, "refused keys");
  if (step.status === "FOLLOW") adopt(world, intent, worker.answered);
  else if (step.status !== "KEEP") {
    setIntent(world, intent, step.status);
    intent.askCount = 0;
    intent.nextAskAt = step.status === "UNKNOWN" ? rules.nextAskAtMs(world.now, 0) : null;
  }
  if (worker.answer === "keys_refused" && world.switches.account.haltedAt === null)
    violate(world, "refused keys did not halt the account");
  if (intent.status === "SUBMITTING") violate(world, "an answer was recorded and the intent still waits for it");
}

/** The end of a question, unless it was answered meanwhile. */
export function giveUp(
  world: World,
  intent: ModelIntent,
  asked: IntentStatusName,
  to: "PARKED" | "REJECTED" | "EXPIRED",
  settleWindowMs: number,
): void {
  if (intent.status !== asked) return;
  checkGivenUp(world, intent, settleWindowMs);
  setIntent(world, intent, to);
  intent.askCount += 1;
  intent.nextAskAt = to === "PARKED" ? world.now + PARKED_ASK_MS : null;
}
