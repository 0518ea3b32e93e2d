/** Holds what an episode left behind against the exchange's own books. */
import { cents, money, sum, text, type Money } from "@/lib/domain/money.ts";
import { isOurClientOrderId } from "@/lib/domain/ids.ts";
import type { Truth } from "@/lib/exchange/control.ts";
import { bareAtExchange } from "@/lib/proof/bare-at-exchange.ts";
import type { Context } from "@/lib/server/context.ts";
import { readRowBreaches } from "@/lib/server/services/invariants/read-breaches.ts";
import { compareAccount } from "@/lib/proof/practice/compare-truth.ts";
import { forbiddenTransitions, HALTED_BY_CHAOS, type Thrown } from "./switches.ts";
import type { Arrival } from "./witness.ts";
import type { WorkerMessage } from "./worker.ts";

export interface Evidence {
  accountId: string;
  truth: Truth;
  arrivals: Arrival[];
  thrown: Thrown[];
  messages: WorkerMessage[];
}

export interface Verdict {
  /** Each begins with the invariant that it breaks. */
  violations: string[];
  orders: number;
  fills: number;
  doubles: number;
  losses: number;
  /** Positions with whole shares that have no live stop at the exchange after the clean start. */
  bare: number;
  parked: number;
}

export async function judge(context: Context, evidence: Evidence): Promise<Verdict> {
  const { accountId, truth } = evidence;
  const rows = await readRows(context, accountId);
  const { intents, account } = rows;
  const counts = orderCounts(truth);
  const lost = lossesOf(truth, rows);
  const { differences } = await compareAccount(context, accountId, truth);
  const bare = bareAtExchange(truth);
  const violations = [
    ...sentFaults(truth, rows, counts),
    ...lost.orders.map(({ client_order_id }) => `I1 ${client_order_id}: the order is not known here`),
    ...lost.fills.map((id) => `I3 ${id}: the fill is not known here`),
    ...fillFaults(truth, rows),
    ...statusFaults(rows, counts),
    ...differences.map((difference) => `${invariantOf(difference)} ${difference}`),
    ...haltFaults(account.haltReason),
    ...cashFaults(truth),
    ...shortFaults(truth),
    ...(await bareFaults(context, accountId, bare)),
    ...(await readRowBreaches(context, accountId)).map(
      ({ invariant, subject, detail }) => `${invariant} ${subject}: ${detail}`,
    ),
    ...(await forbiddenTransitions(context.db, accountId)),
    ...arrivalFaults(evidence),
    ...messageFaults(evidence, intents),
  ];
  return {
    violations: [...new Set(violations)],
    orders: truth.orders.length,
    fills: truth.fills.length,
    doubles: [...counts.values()].filter((count) => count > 1).length,
    losses: lost.orders.length + lost.fills.length,
    bare: bare.length,
    parked: intents.filter(({ status }) => status === "PARKED" || status === "EXPIRED").length,
  };
}

async function readRows({ db }: Context, accountId: string) {
  const [intents, orders, fills, account] = await Promise.all([
    db.intent.findMany({ where: { accountId } }),
    db.order.findMany({ where: { accountId } }),
    db.fill.findMany({ where: { accountId } }),
    db.account.findUniqueOrThrow({ where: { id: accountId } }),
  ]);
  return { intents, orders, fills, account };
}

type Rows = Awaited<ReturnType<typeof readRows>>;

/** How many orders the exchange has by each client id of ours. */
function orderCounts(truth: Truth): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { client_order_id: id } of truth.orders)
    if (isOurClientOrderId(id)) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

/** Doubled: one decision, two orders at the exchange; or an order that was not decided so. */
function sentFaults(truth: Truth, { intents, orders }: Rows, counts: ReadonlyMap<string, number>): string[] {
  const faults: string[] = [];
  const byClientId = new Map(intents.map((intent) => [intent.clientOrderId, intent]));
  // The market runs on from episode to episode and comes to a split, which restates an order that waits: the exchange's
  // size is held against our order here, and our order against the decision by the breaches of I1.
  const rows = new Map(orders.map((order) => [order.brokerOrderId, order]));
  for (const [id, count] of counts) {
    if (count > 1) faults.push(`I2 ${id}: ${count} orders at the exchange`);
    const intent = byClientId.get(id);
    const there = truth.orders.find(({ client_order_id }) => client_order_id === id);
    if (!intent) faults.push(`I1 ${id}: an order at the exchange without a decision`);
    else if (
      there &&
      (there.symbol !== intent.symbol ||
        there.side.toUpperCase() !== intent.side ||
        !money(there.qty ?? 0).eq(money(rows.get(there.id)?.qty ?? intent.qty)))
    )
      faults.push(`I1 ${id}: not the order that was decided`);
  }
  return faults;
}

/** The exchange's fills by the id that ours have. */
const fillsById = (truth: Truth) =>
  new Map(truth.fills.map((fill) => [`${fill.order_id}:${text(fill.cum_qty)}`, fill]));

/** Lost: orders and executions of the exchange that we know nothing of. */
function lossesOf(truth: Truth, { orders, fills }: Rows): { orders: Truth["orders"]; fills: string[] } {
  const knownOrders = new Set(orders.map(({ brokerOrderId }) => brokerOrderId));
  const knownFills = new Set(fills.map(({ executionId }) => executionId));
  return {
    orders: truth.orders.filter(({ id }) => !knownOrders.has(id)),
    fills: [...fillsById(truth).keys()].filter((id) => !knownFills.has(id)),
  };
}

function fillFaults(truth: Truth, { fills }: Rows): string[] {
  const theirs = fillsById(truth);
  return fills.flatMap(({ executionId: id, qty, price }) => {
    const there = theirs.get(id);
    const isTheirs = there && money(there.qty).eq(money(qty)) && money(there.price).eq(money(price));
    return isTheirs ? [] : [`I3 ${id}: the fill is not the exchange's`];
  });
}

/** At rest nothing hangs in the air, and what lives or ended there is so here. */
function statusFaults({ intents }: Rows, counts: ReadonlyMap<string, number>): string[] {
  const faults: string[] = [];
  for (const { status, clientOrderId } of intents) {
    if (["PLANNED", "GATED", "SUBMITTING", "UNKNOWN"].includes(status))
      faults.push(`I9 ${clientOrderId}: still ${status}`);
    const isThere = counts.has(clientOrderId);
    if (
      ["LIVE", "FILLED", "CANCELED"].includes(status) !== isThere &&
      !(isThere && ["REJECTED", "EXPIRED"].includes(status))
    )
      faults.push(`I1 ${clientOrderId}: ${status} here, ${isThere ? "an order" : "no order"} at the exchange`);
  }
  return faults;
}

const haltFaults = (reason: string | null) =>
  reason === null || reason === HALTED_BY_CHAOS ? [] : [`I24 the account was halted: ${reason}`];

function cashFaults({ cash, fills, activities }: Truth): string[] {
  const spent = sum(fills.map((fill) => signed(fill)));
  // A fast market may pass a night: dividends and fees beside the deposit.
  const flows = sum(activities.map(({ net_amount = "0" }) => money(net_amount)));
  const expected = cents(flows.plus(spent));
  return expected.eq(cents(money(cash))) ? [] : [`I5 the exchange's own cash does not add up`];
}

/** Half a minute of open market has passed on the clock of the clean start: whatever had to wait has waited. */
async function bareFaults(context: Context, accountId: string, bare: ReturnType<typeof bareAtExchange>) {
  const faults: string[] = [];
  for (const { symbol, qty } of bare)
    faults.push(`I26 ${symbol}: ${text(qty)} shares without a live stop: ${await whyBare(context, accountId, symbol)}`);
  return faults;
}

/** What our own books say of the symbol: for a person who looks into a violation. */
async function whyBare({ db }: Context, accountId: string, symbol: string): Promise<string> {
  const where = { accountId, symbol };
  const [position, owed, orders, intents] = await Promise.all([
    db.position.findFirst({ where }),
    db.owedStop.findFirst({ where, orderBy: { createdAt: "desc" } }),
    db.order.findMany({ where, orderBy: { createdAt: "asc" } }),
    db.intent.findMany({ where, orderBy: { createdAt: "asc" } }),
  ]);
  return [
    `${position?.qty.toFixed() ?? "none"} held by our books (${position?.strategy ?? "not ours"})`,
    owed === null ? "nothing was owed" : `${owed.paidAt === null ? "owed" : "paid"}, ${owed.lastError ?? "no error"}`,
    ...orders.map(
      (row) =>
        `${row.side} ${row.role} ${row.type} ${row.filledQty.toFixed()}/${row.qty?.toFixed() ?? "?"} ${row.status}`,
    ),
    ...intents.map(({ side, purpose, status, lastError }) => `${side} ${purpose} ${status} ${lastError ?? ""}`),
  ].join("; ");
}

/** Which invariant a difference between our books and the exchange's breaks, by what it is about. */
function invariantOf(difference: string): string {
  if (/^(cash|money)/.test(difference)) return "I5";
  if (/^(order|number of fills)/.test(difference)) return "I3";
  if (/(position|lots):/.test(difference)) return "I4";
  return "I24";
}

/** No order of ours opens a short position. */
const shortFaults = ({ positions }: Truth): string[] =>
  positions.filter(({ qty }) => money(qty).lt(0)).map(({ symbol, qty }) => `I20 ${symbol}: ${qty} shares, sold short`);

function signed({ side, qty, price }: { side: string; qty: string; price: string }): Money {
  return money(qty)
    .times(money(price))
    .times(side === "buy" ? -1 : 1);
}

/** I6 and I7: what the database had committed when each request arrived. */
function arrivalFaults({ arrivals, thrown }: Evidence): string[] {
  return arrivals.flatMap(({ clientOrderId, symbol, side, intent, blind }) => {
    if (blind !== null) return [];
    if (!intent) return [`I6 ${clientOrderId}: sent before it was recorded`];
    const { markedAt, hasPassedBefore, isProtective } = intent;
    if (markedAt === null || !hasPassedBefore) return [`I6 ${clientOrderId}: sent without a passed gate`];
    return thrown
      .filter(
        ({ what, symbol: stopped = symbol, since, until }) =>
          markedAt > since &&
          (until === null || markedAt < until) &&
          stopped === symbol &&
          // A halt does not stop the protection of bare shares: a stop, or a sale where the price is through it.
          ((what === "HALT" && !isProtective) || side === "buy"),
      )
      .map(({ what }) => `I7 ${clientOrderId}: marked for sending after ${what}`);
  });
}

/** I16: what a worker said was recorded is recorded. */
function messageFaults({ messages }: Evidence, intents: { planId: string; leg: number; status: string }[]): string[] {
  return messages.flatMap((message) => {
    if (message.kind === "failed") return [`W13 a worker failed: ${message.why}`];
    if (message.kind !== "legs") return [];
    return message.legs
      .filter(({ status }) => status !== "SKIPPED")
      .filter(({ leg }) => !intents.some((intent) => intent.planId === message.decisionId && intent.leg === leg))
      .map(({ leg }) => `I16 leg ${leg} of ${message.decisionId} was reported and is not there`);
  });
}
