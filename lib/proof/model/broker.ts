/** The modelled broker: its books are the truth that the checks hold everything against. */
import { isTerminal } from "@/lib/domain/orders.ts";
import { checkAccepted, checkRequest, note, violate } from "./checks.ts";
import { heldAtBroker } from "./held-at-broker.ts";
import { draw } from "./random.ts";
import {
  LONGEST_LAG_MS,
  LONGEST_LATE_ACCEPT_MS,
  SESSION_MS,
  type ModelIntent,
  type ModelOrder,
  type Report,
  type Side,
  type Worker,
  type World,
} from "./world.ts";

const lag = (world: World) => (world.isLagging && world.isFaulty ? draw(world.random, LONGEST_LAG_MS) : 0);

/** Enters an order into the books; null when they are full. */
function enter(world: World, client: number, symbol: string, side: Side, units: number): ModelOrder | null {
  const order = world.orders[world.orderCount];
  if (order === undefined) {
    world.isFull = true;
    return null;
  }
  world.orderCount += 1;
  order.client = client;
  order.isOurs = false;
  order.parent = -1;
  order.symbol = symbol;
  order.side = side;
  order.units = units;
  order.qty = String(units);
  order.filled = 0;
  order.status = "NEW";
  order.submittedAt = order.updatedAt = world.now;
  order.visibleAt = world.now + lag(world);
  order.isCancelAsked = order.isStop = false;
  const { row } = order;
  row.isKnown = false;
  row.intent = -1;
  row.origin = "OURS";
  row.filled = row.booked = row.updatedAt = row.filledAt = 0;
  row.status = "NEW";
  return order;
}

const FIRST_STATUS = ["PENDING_NEW", "ACCEPTED", "NEW", "NEW"] as const;

/** Why the broker refuses an order: it knows its id, or has fewer shares free than it would sell. */
type Refusal = "duplicate" | "no_shares";

/** Takes an order of ours. The index of the order, or why it is refused. */
function take(world: World, intent: ModelIntent): number | Refusal {
  if (world.hasUniqueIds && find(world, intent.index, true) >= 0) return "duplicate";
  if (intent.side === "SELL" && sellable(world, intent.symbol) < intent.units) return "no_shares";
  const order = enter(world, intent.index, intent.symbol, intent.side, intent.units);
  if (order === null) return "no_shares";
  order.isOurs = true;
  order.isStop = intent.purpose === "PROTECT";
  order.status = FIRST_STATUS[draw(world.random, 4)]!;
  if (world.trace !== null) note(world, `  broker takes intent ${intent.index} as order ${world.orderCount - 1}`);
  checkAccepted(world, intent, order);
  const index = world.orderCount - 1;
  report(world, index, -1);
  // The stop of a bracket waits for the fill of its entry.
  const stop =
    order.side === "BUY" && draw(world.random, 2) === 0 ? enter(world, -1, order.symbol, "SELL", order.units) : null;
  if (stop !== null) {
    stop.parent = index;
    stop.isStop = true;
    stop.status = "HELD";
    stop.visibleAt = order.visibleAt;
  }
  return index;
}

/** The stop follows its entry: it rests once the entry is filled, and ends with an entry that is not. */
function moveStop(world: World, parent: number, status: "NEW" | "CANCELED"): void {
  for (let i = parent + 1; i < world.orderCount; i += 1) {
    const stop = world.orders[i]!;
    if (stop.parent !== parent || isTerminal(stop.status)) continue;
    stop.status = status;
    stop.updatedAt = world.now;
    report(world, i, -1);
  }
}

/** Placed at the broker by hand, with an id of its own or with ours. */
export function placeElsewhere(world: World, client: number, symbol: string, side: Side, units: number): void {
  if (enter(world, client, symbol, side, units) === null) return;
  world.externals += 1;
  world.disturbances += 1;
  report(world, world.orderCount - 1, -1);
}

/** The first order with the intent's id; `isAll` sees what lookups do not answer yet. */
export function find(world: World, client: number, isAll = false): number {
  for (let i = 0; i < world.orderCount; i += 1) {
    const order = world.orders[i]!;
    if (order.client === client && order.parent < 0 && (isAll || order.visibleAt <= world.now)) return i;
  }
  return -1;
}

export function copyReport(world: World, index: number, into: Report, execution = -1): void {
  const { status, filled, updatedAt } = world.orders[index]!;
  into.order = index;
  into.status = status;
  into.filled = filled;
  into.updatedAt = updatedAt;
  into.execution = execution;
}

/** A trade update, on its way: it may arrive late, twice, out of order or never. */
function report(world: World, index: number, execution: number): void {
  const event = world.events[world.eventCount];
  if (event === undefined) return;
  world.eventCount += 1;
  copyReport(world, index, event, execution);
}

export function fill(world: World, index: number, units: number): void {
  const order = world.orders[index]!;
  const execution = world.executions[world.executionCount];
  if (execution === undefined || isTerminal(order.status)) return;
  world.disturbances += 1;
  order.filled += units;
  execution.order = index;
  execution.units = units;
  execution.cumulative = order.filled;
  execution.at = world.now;
  execution.visibleAt = world.now + lag(world);
  world.executionCount += 1;
  order.status =
    order.filled === order.units ? "FILLED" : order.status === "PENDING_CANCEL" ? "PENDING_CANCEL" : "PARTIALLY_FILLED";
  order.updatedAt = world.now;
  if (world.trace !== null) note(world, `  broker fills ${units} of order ${index} (${order.filled}/${order.units})`);
  report(world, index, world.executionCount - 1);
  if (order.status === "FILLED") moveStop(world, index, "NEW");
}

export function end(world: World, index: number, status: "CANCELED" | "EXPIRED" | "REJECTED"): void {
  const order = world.orders[index]!;
  if (isTerminal(order.status)) return;
  world.disturbances += 1;
  order.status = status;
  order.updatedAt = world.now;
  if (world.trace !== null) note(world, `  broker ends order ${index}: ${status}`);
  report(world, index, -1);
  moveStop(world, index, "CANCELED");
}

/** A request, not a fact: the order may still fill. */
export function askToCancel(world: World, index: number): void {
  const order = world.orders[index]!;
  if (isTerminal(order.status)) return;
  order.isCancelAsked = true;
  if (draw(world.random, 2) === 0) {
    order.status = "PENDING_CANCEL";
    order.updatedAt = world.now;
    report(world, index, -1);
  }
}

/** Shares of the symbol that no open sale binds. */
export function sellable(world: World, symbol: string): number {
  let units = heldAtBroker(world, symbol);
  for (let i = 0; i < world.orderCount; i += 1) {
    const order = world.orders[i]!;
    if (order.symbol === symbol && order.side === "SELL" && order.status !== "HELD" && !isTerminal(order.status))
      units -= order.units - order.filled;
  }
  return units;
}

/** Moves the clock; requests that were kept back are taken on the way. */
export function advance(world: World, ms: number): void {
  const until = Math.min(world.now + ms, (world.session + 1) * SESSION_MS - 1);
  for (;;) {
    let next = -1;
    for (let i = 0; i < world.lateCount; i += 1) {
      const { arrivesAt } = world.late[i]!;
      if (arrivesAt <= until && (next < 0 || arrivesAt < world.late[next]!.arrivesAt)) next = i;
    }
    if (next < 0) break;
    const late = world.late[next]!;
    const { intent } = late;
    world.now = Math.max(world.now, late.arrivesAt);
    world.lateCount -= 1;
    world.late[next] = world.late[world.lateCount]!;
    world.late[world.lateCount] = late;
    if (world.trace !== null) note(world, `  a late request arrives at ${world.now}`);
    take(world, world.intents[intent]!);
  }
  world.now = Math.max(world.now, until);
}

/** Day orders end with the session, in the queue and in the books; stops stay. */
export function endSession(world: World): void {
  world.lateCount = 0;
  for (let i = 0; i < world.orderCount; i += 1) if (!world.orders[i]!.isStop) end(world, i, "EXPIRED");
  world.session += 1;
  world.now = world.session * SESSION_MS;
}

const OUTCOMES = [
  ["taken", 40],
  ["refused", 5],
  ["keys_refused", 1],
  ["lost_before", 8],
  ["lost_after", 11],
  ["late", 9],
  ["error_before", 4],
  ["error_after", 5],
  ["throttled", 9],
  ["garbage", 3],
  ["gateway", 1],
  ["another_order", 2],
  ["hang", 2],
] as const;
type Outcome = (typeof OUTCOMES)[number][0];
const OUTCOME_OF: Outcome[] = OUTCOMES.flatMap(([outcome, weight]) => Array.from({ length: weight }, () => outcome));

const ERRORS = [500, 502, 503, 504] as const;

/** POST /orders: what the broker does, and what its answer proves to the worker, which is all that the worker learns. */
export function post(world: World, worker: Worker, intent: ModelIntent): void {
  const { random, rules } = world;
  worker.requests += 1;
  checkRequest(world, worker, intent);
  const isStruck = world.isStormy && world.isFaulty && draw(random, 4) !== 0;
  const outcome = isStruck ? "throttled" : world.isFaulty ? OUTCOME_OF[draw(random, OUTCOME_OF.length)]! : "taken";
  if (outcome !== "taken") world.disturbances += 1;
  if (world.trace !== null) note(world, `  POST intent ${intent.index}: ${outcome}`);
  const answer = (status: number | null, code: string | null, order = -1) => {
    const proof = rules.sendClass(status, code, order >= 0);
    if (order >= 0) copyReport(world, order, worker.answered);
    if (proof === "throttled") intent.posts -= 1;
    if (proof === "keys_refused") intent.refusedKeys = true;
    worker.answer = proof === "duplicate" ? "unknown" : proof;
    worker.at = proof === "duplicate" ? "look_up" : proof === "throttled" ? "renew" : "record_answer";
  };
  switch (outcome) {
    case "taken": {
      const taken = take(world, intent);
      if (taken === "duplicate") return answer(422, "40010001");
      return taken === "no_shares" ? answer(403, "40310000") : answer(200, null, taken);
    }
    case "refused":
      return answer(403, "40310000");
    case "keys_refused":
      return answer(401, null);
    case "throttled":
      return answer(429, "42910000");
    case "lost_before":
      return answer(null, null);
    case "lost_after":
      take(world, intent);
      return answer(null, null);
    case "late": {
      const late = world.late[world.lateCount];
      if (late !== undefined) {
        world.lateCount += 1;
        late.intent = intent.index;
        late.arrivesAt = world.now + 1 + draw(random, LONGEST_LATE_ACCEPT_MS);
      }
      return answer(null, null);
    }
    case "error_before":
      return answer(ERRORS[draw(random, 4)]!, draw(random, 2) === 0 ? null : "50010000");
    case "error_after":
      take(world, intent);
      return answer(ERRORS[draw(random, 4)]!, draw(random, 2) === 0 ? null : "50010000");
    case "garbage":
      take(world, intent);
      return answer(200, null);
    case "gateway":
      take(world, intent);
      return answer(404, null);
    case "another_order": {
      take(world, intent);
      const other = world.orderCount === 0 ? -1 : draw(random, world.orderCount);
      return answer(200, null, other);
    }
    case "hang":
      take(world, intent);
      advance(world, 10_000);
      return answer(null, null);
    default:
      return violate(world, "an unknown outcome");
  }
}
