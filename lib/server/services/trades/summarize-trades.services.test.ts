import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { ORDER_STATUSES } from "@/lib/domain/enums.ts";
import { money, sum, text } from "@/lib/domain/money.ts";
import { TRADE_STATUS } from "@/lib/domain/orders.ts";
import { addDays, DAY_MS, newYorkInstant } from "@/lib/domain/time.ts";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import { db } from "../../db.ts";
import { lockAccount } from "../../core/transaction.ts";
import { summarizeTrades } from "./summarize-trades.ts";
import { periodOf, type TradeFilter, type TradeScope } from "./trade-scope.ts";

const SYMBOLS = ["A", "AA", "BA", "B.B", ""] as const;
/** Clock changes, ends of years and days beside them. */
const DAYS = [
  "2019-03-10",
  "2019-11-03",
  "2019-12-31",
  "2020-01-01",
  "2020-01-02",
  "2020-03-08",
  "2020-11-01",
  "2021-01-01",
];

const day = fc.oneof(
  fc.constantFrom(...DAYS),
  fc.integer({ min: 0, max: 900 }).map((days) => addDays("2019-01-01", days)),
);
/** Often a midnight in New York, or a millisecond beside it. */
const moment = fc
  .tuple(day, fc.oneof(fc.constantFrom(0, -1, 1), fc.integer({ min: 0, max: DAY_MS })))
  .map(([date, ms]) => new Date(Date.parse(newYorkInstant(date, 0, 0)) + ms));
const status = fc.constantFrom(...ORDER_STATUSES);
const qty = fc.integer({ min: 1, max: 9_999_999 }).map((millis) => text(money(millis).div(1000)));
/** Whose: an order of another place, an entry, or a protective order, which is a trade only once it is filled. */
const ROLES = ["EXTERNAL", "ENTRY", "STOP", "TARGET"] as const;
const role = fc.constantFrom(...ROLES);
const outcome = fc.constantFrom("WIN", "LOSS", "SCRATCH", null);

const orderState = fc.record({
  symbol: fc.constantFrom(...SYMBOLS),
  side: fc.constantFrom("BUY", "SELL"),
  status,
  filled: fc.oneof(fc.constant("0"), qty),
  tradedAt: moment,
  role,
  isLeg: fc.boolean(),
});
type OrderState = typeof orderState extends fc.Arbitrary<infer T> ? T : never;
const tripState = fc.record({ symbol: fc.constantFrom(...SYMBOLS), closedAt: moment, outcome });
/** Which of the rows, by the remainder of their number: one of them, several, or none. */
const some = fc.record({ divisor: fc.integer({ min: 1, max: 9 }), remainder: fc.integer({ min: 0, max: 8 }) });
const step = fc.oneof(
  fc.record({ do: fc.constant("add orders"), of: fc.array(orderState, { minLength: 1, maxLength: 8 }) }),
  fc.record({ do: fc.constant("change orders"), of: orderState, some }),
  fc.record({ do: fc.constant("delete orders"), some }),
  fc.record({ do: fc.constant("add trips"), of: fc.array(tripState, { minLength: 1, maxLength: 5 }) }),
  fc.record({ do: fc.constant("change trips"), of: tripState, some }),
  fc.record({ do: fc.constant("delete trips"), some }),
  fc.record({ do: fc.constant("delete an account") }),
);
type Step = (typeof step extends fc.Arbitrary<infer T> ? T : never) & { some?: { divisor: number; remainder: number } };

const bound = fc.option(
  fc.oneof(
    day,
    moment.map((at) => at.toISOString()),
  ),
  { nil: undefined },
);
const filter = fc.record({
  symbol: fc.option(fc.constantFrom("A", "B", ".", "AA", "Z"), { nil: undefined }),
  side: fc.option(fc.constantFrom("BUY" as const, "SELL" as const), { nil: undefined }),
  status: fc.option(fc.constantFrom(...Object.values(TRADE_STATUS)), { nil: undefined }),
  startDate: bound,
  endDate: bound,
});

const isEmpty = (period: TradeFilter) => {
  try {
    periodOf(period);
    return false;
  } catch {
    return true;
  }
};

let made = 0;
const orderRow = (accountId: string, parentId: string, state: OrderState) => {
  // A filled order has a price; each has a quantity of its own so that no two rows are alike.
  const filled = state.status === "FILLED" && state.filled === "0" ? "1" : state.filled;
  made += 1;
  return {
    accountId,
    origin: "EXTERNAL" as const,
    brokerOrderId: `${made}-${randomUUID()}`,
    clientOrderId: randomUUID(),
    orderClass: "SIMPLE" as const,
    type: "MARKET" as const,
    timeInForce: "day",
    brokerStatus: "as made",
    submittedAt: state.tradedAt,
    brokerUpdatedAt: state.tradedAt,
    qty: "10000",
    ...orderChange(state, filled),
    parentId: state.isLeg ? parentId : null,
  };
};
const orderChange = (
  state: Pick<OrderState, "role"> & { symbol: string; side: string; status: string; tradedAt: Date },
  filled: string,
) => ({
  role: state.role,
  symbol: state.symbol,
  side: state.side as "BUY",
  status: state.status as "NEW",
  tradedAt: state.tradedAt,
  filledQty: filled,
  filledAvgPrice: filled === "0" ? null : "3.333333333",
  filledValue: text(money(filled).times("3.333333333").toDecimalPlaces(9)),
});

/** What the rows themselves come to, counted here and not in the database. */
async function counted(accountIds: string[] | undefined, { symbol, side, status: word, ...dates }: TradeFilter) {
  const { from, before } = periodOf(dates);
  const whose = accountIds ? { accountId: { in: accountIds } } : {};
  const isIn = (at: Date) => (from === null || at >= from) && (before === null || at < before);
  const isOf = (name: string) => symbol === undefined || name.includes(symbol);
  const trades = (await db().order.findMany({ where: whose })).filter(
    (row) =>
      (row.filledQty.gt(0) || (row.parentId === null && row.role !== "STOP" && row.role !== "TARGET")) &&
      isOf(row.symbol) &&
      isIn(row.tradedAt) &&
      (side === undefined || row.side === side) &&
      (word === undefined || TRADE_STATUS[row.status] === word),
  );
  const trips = (await db().roundTrip.findMany({ where: whose })).filter(
    (row) => row.closedAt !== null && isIn(row.closedAt) && isOf(row.symbol),
  );
  return {
    totalTrades: trades.length,
    filledTrades: trades.filter((row) => row.status === "FILLED").length,
    winningTrades: trips.filter((row) => row.outcome === "WIN").length,
    losingTrades: trips.filter((row) => row.outcome === "LOSS").length,
    totalVolume: text(sum(trades.map((row) => money(row.filledValue)))),
  };
}

async function summarized(scope: TradeScope, asked: TradeFilter) {
  const { averageTradeSize, totalVolume, ...counts } = await summarizeTrades(db(), scope, asked);
  expect(text(averageTradeSize)).toBe(
    text(counts.totalTrades === 0 ? money(0) : money(totalVolume).div(counts.totalTrades).toDecimalPlaces(9)),
  );
  return { ...counts, totalVolume: text(money(totalVolume)) };
}

it("a summary is what its rows come to, after any changes, over any period and filter", async () => {
  const user = await makeUser(db());
  const play = async (steps: Step[], asked: TradeFilter[]) => {
    const accounts: string[] = [];
    for (let n = 0; n < 3; n += 1) accounts.push((await makeAccount(db(), user.id)).id);
    const parents: string[] = [];
    const base: OrderState = {
      symbol: "A",
      side: "BUY",
      status: "NEW" as const,
      filled: "0",
      tradedAt: new Date("2020-01-02T15:00:00Z"),
      role: "EXTERNAL",
      isLeg: false,
    };
    for (const id of accounts) parents.push((await db().order.create({ data: orderRow(id, "", base) })).id);
    for (const [index, { some: chosen, ...one }] of steps.entries()) {
      const at = index % accounts.length;
      const accountId = accounts[at] ?? "";
      const pick = async <T extends { id: string }>(rows: Promise<T[]>) =>
        (await rows).filter((_, n) => chosen && n % chosen.divisor === chosen.remainder).map(({ id }) => id);
      const orders = () =>
        pick(db().order.findMany({ where: { accountId, id: { notIn: parents } }, orderBy: { id: "asc" } }));
      const trips = () => pick(db().roundTrip.findMany({ where: { accountId }, orderBy: { id: "asc" } }));
      if (one.do === "add orders")
        await db().order.createMany({ data: one.of.map((each) => orderRow(accountId, parents[at] ?? "", each)) });
      if (one.do === "change orders") {
        const filled = one.of.status === "FILLED" && one.of.filled === "0" ? "1" : one.of.filled;
        await db().order.updateMany({ where: { id: { in: await orders() } }, data: orderChange(one.of, filled) });
      }
      if (one.do === "delete orders") await db().order.deleteMany({ where: { id: { in: await orders() } } });
      const trip = (of: { closedAt: Date; outcome: string | null }) =>
        of.outcome === null
          ? { closedAt: null, outcome: null }
          : { closedAt: of.closedAt, outcome: of.outcome as "WIN" };
      // One trip may be open in a symbol: those that stay open have a symbol of their own.
      const name = (of: { symbol: string; outcome: string | null }) =>
        of.outcome === null ? `${of.symbol}${randomUUID()}` : of.symbol;
      if (one.do === "add trips")
        await db().roundTrip.createMany({
          data: one.of.map((each) => ({ accountId, openedAt: each.closedAt, symbol: name(each), ...trip(each) })),
        });
      if (one.do === "change trips")
        for (const id of await trips())
          await db().roundTrip.update({ where: { id }, data: { symbol: name(one.of), ...trip(one.of) } });
      if (one.do === "delete trips") await db().roundTrip.deleteMany({ where: { id: { in: await trips() } } });
      if (one.do === "delete an account" && accounts.length > 1) {
        await db().account.delete({ where: { id: accountId } });
        accounts.splice(at, 1);
        parents.splice(at, 1);
      }
    }
    // Without a filter it is read from the kept totals.
    for (const each of [{}, ...asked]) {
      expect(await summarized({ accountIds: accounts }, each)).toEqual(await counted(accounts, each));
      expect(await summarized("all-users", each)).toEqual(await counted(undefined, each));
    }
    await db().account.deleteMany({ where: { id: { in: accounts } } });
    expect(await db().tradeTotals.count({ where: { accountId: { in: accounts } } })).toBe(0);
  };
  const asked = filter.filter((each) => !isEmpty(each));
  await fc.assert(
    fc.asyncProperty(
      fc.array(step as fc.Arbitrary<Step>, { minLength: 3, maxLength: 12 }),
      fc.array(asked, { minLength: 5, maxLength: 5 }),
      play,
    ),
    { numRuns: 12 },
  );
});

it("transactions on the same day of an account lose no count and never wait for one another in a ring", async () => {
  const user = await makeUser(db());
  const { id: accountId } = await makeAccount(db(), user.id);
  const at = new Date("2020-03-09T14:00:00Z");
  const WRITERS = 6;
  const state: OrderState = {
    symbol: "A",
    side: "BUY",
    status: "NEW",
    filled: "0",
    tradedAt: at,
    role: "EXTERNAL",
    isLeg: false,
  };
  const ids: string[][] = [];
  for (let writer = 0; writer < WRITERS; writer += 1) {
    const own = SYMBOLS.map((symbol) => orderRow(accountId, "", { ...state, symbol }));
    ids.push((await db().order.createManyAndReturn({ data: own })).map(({ id }) => id));
  }
  const rounds = ORDER_STATUSES.filter((name) => name !== "FILLED");
  const write = async (writer: number) => {
    const own = ids[writer] ?? [];
    for (let round = 0; round < rounds.length; round += 1) {
      // Every writer is at another status, some forwards and some backwards, in one statement over several symbols.
      const turn = writer % 2 === 0 ? round + writer : rounds.length * 2 - round - writer;
      const next = rounds[turn % rounds.length] ?? "NEW";
      const data = { status: next, filledQty: "5", filledAvgPrice: "2", filledValue: text(money(10 + round)) };
      if (round % 3 > 0) await db().order.updateMany({ where: { id: { in: own } }, data });
      else
        await db().$transaction(async (tx) => {
          await lockAccount(tx, accountId);
          const inTurn = writer % 2 === 0 ? own : [...own].reverse();
          for (const id of inTurn) await tx.order.update({ where: { id }, data });
        });
    }
  };
  const done = await Promise.allSettled(ids.map((_, writer) => write(writer)));
  expect(done.filter(({ status: end }) => end === "rejected")).toEqual([]);
  expect(await summarized({ accountIds: [accountId] }, { startDate: "2020-03-09", endDate: "2020-03-09" })).toEqual(
    await counted([accountId], { startDate: "2020-03-09", endDate: "2020-03-09" }),
  );
  expect(await summarized({ accountIds: [accountId] }, { symbol: "B.B" })).toMatchObject({
    totalTrades: WRITERS,
  });
});

it.each([
  ["a year that is still being typed", { startDate: "0002-03-04", endDate: "0020-01-01" }, 0],
  ["the first and the last day that can be written", { startDate: "0000-01-01", endDate: "9999-12-31" }, 1],
])("%s is no fault", async (_, period, trades) => {
  const user = await makeUser(db());
  const { id: accountId } = await makeAccount(db(), user.id);
  const tradedAt = new Date("2020-03-09T14:00:00Z");
  const state: OrderState = {
    symbol: "A",
    side: "BUY",
    status: "NEW",
    filled: "0",
    tradedAt,
    role: "EXTERNAL",
    isLeg: false,
  };
  await db().order.create({ data: orderRow(accountId, "", state) });
  expect(await summarized({ accountIds: [accountId] }, period)).toMatchObject({ totalTrades: trades });
});
