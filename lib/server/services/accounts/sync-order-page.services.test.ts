/** What a page of accounts leaves to no account's own turn is what that turn would have left as it is. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { statementsOf } from "@/lib/proof/fixtures/statements-of.ts";
import { jobs } from "@/lib/contracts/jobs.ts";
import { isInShare, sidesOf, WHOLE_SHARE } from "@/lib/domain/canary.ts";
import { ACCESS_TEXT } from "@/lib/domain/account-access.ts";
import { betweenTransactions } from "@/lib/proof/fixtures/between.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { openBench } from "@/lib/proof/fixtures/bench.ts";
import { buyBracket, decide, openAccount, plannedOrder } from "@/lib/proof/fixtures/orders.ts";
import type { Context } from "../../context.ts";
import type { Account } from "../../core/row-types.ts";
import { marketData } from "../../providers/market-data-registry.ts";
import { scheduleKey } from "../schedule/schedule-keys.ts";
import { reconcileAccount } from "../sync/reconcile-account.ts";
import { syncOrders } from "./sync-orders.ts";
import { syncOrderPage } from "./sync-order-page.ts";

let exchange: Exchange;
let context: Context;
let account: Account;
openBench((bench) => ({ exchange, context, account } = bench), { marketData });
afterEach(() => vi.restoreAllMocks());

const keyOf = (accountId: string) => scheduleKey(jobs.orderStatus.name, accountId);

/** As the schedule wakes them. */
async function wake(accounts: readonly Account[]): Promise<{ from: string; to: string }> {
  const lastStartedAt = new Date();
  for (const { id } of accounts) {
    const row = { job: jobs.orderStatus.name, accountId: id, dueAt: lastStartedAt, everyMs: 5_000, lastStartedAt };
    await context.db.schedule.upsert({ where: { key: keyOf(id) }, create: { key: keyOf(id), ...row }, update: row });
  }
  const ids = accounts.map(({ id }) => id).sort();
  return { from: ids[0]!, to: ids.at(-1)! };
}

/** Runs a page of these accounts and answers those that it gives a turn of their own. */
async function page(accounts: readonly Account[] = [account], on: Context = context): Promise<string[]> {
  const given: string[] = [];
  const enqueue: Context["queue"]["enqueue"] = (job, input) => {
    expect(job).toBe(jobs.orderStatus);
    for (const { accountId } of [input].flat() as { accountId: string }[]) given.push(accountId);
    return Promise.resolve();
  };
  await syncOrderPage({ ...on, queue: { enqueue } }, await wake(accounts));
  return given.filter((id) => accounts.some((one) => one.id === id));
}

const figures = async (id = account.id) => {
  const { version: _, ...row } = await context.db.accountFigures.findUniqueOrThrow({ where: { accountId: id } });
  return row;
};
const positions = async () =>
  (await context.db.position.findMany({ where: { accountId: account.id } })).map(({ updatedAt: _, ...row }) => row);
const finishedAt = async () =>
  (await context.db.schedule.findUniqueOrThrow({ where: { key: keyOf(account.id) } })).lastFinishedAt;

/** An account that holds shares with a stop and a target at the broker. */
async function holding(): Promise<void> {
  await reconcileAccount(context, account.id);
  await context.db.account.update({ where: { id: account.id }, data: { writerEpoch: 0 } });
  await buyBracket(exchange, context, account);
  await syncOrders(context, { accountId: account.id });
}

describe("an account of which there is nothing to do", () => {
  it("gets no turn of its own, and its run counts as ended", async () => {
    await holding();
    const before = await context.db.account.findUniqueOrThrow({ where: { id: account.id } });
    expect(await page()).toEqual([]);
    expect(await finishedAt()).not.toBeNull();
    const { reconciledAt, readWholeAt } = await context.db.account.findUniqueOrThrow({ where: { id: account.id } });
    expect(reconciledAt!.getTime()).toBeGreaterThan(before.reconciledAt!.getTime());
    expect(readWholeAt).toEqual(before.readWholeAt);
    // It was woken once: a page that comes twice looks at nothing.
    const asked = vi.spyOn(context.brokers, "forAccount");
    const { id } = account;
    await syncOrderPage(context, { from: id, to: id });
    expect(asked).not.toHaveBeenCalled();
  });

  it("has the marks and balances that its own turn would have stored at that time", async () => {
    await holding();
    const before = await figures();
    await exchange.control.clock({ advanceMinutes: 3 });
    expect(await page()).toEqual([]);
    const [afterPage, heldAfterPage] = [await figures(), await positions()];
    expect(afterPage.equity).not.toEqual(before.equity);
    await syncOrders(context, { accountId: account.id });
    expect(await figures()).toEqual(afterPage);
    expect(await positions()).toEqual(heldAfterPage);
  });

  it("is asked nothing on the US market, where the broker's limit counts minutes", async () => {
    await holding();
    await context.db.account.update({ where: { id: account.id }, data: { market: "US", broker: "ALPACA" } });
    const asked = vi.spyOn(context.brokers, "forAccount");
    expect(await page()).toEqual([]);
    expect(asked).not.toHaveBeenCalled();
    // Half a minute later it is.
    await context.db.account.update({
      where: { id: account.id },
      data: { reconciledAt: new Date(Date.now() - 31_000) },
    });
    const practice = context.marketData("PRACTICE");
    const { brokers } = context;
    const practised = { ...brokers, forAccount: () => brokers.forAccount(account) };
    expect(await page([account], { ...context, brokers: practised, marketData: () => practice })).toEqual([]);
    const { reconciledAt } = await context.db.account.findUniqueOrThrow({ where: { id: account.id } });
    expect(reconciledAt!.getTime()).toBeGreaterThan(Date.now() - 30_000);
  });

  it("is asked no more than twice a minute while the practice market is closed", async () => {
    await holding();
    const practice = context.marketData("PRACTICE");
    const closed = { ...practice, clock: async () => ({ ...(await practice.clock()), isOpen: false }) };
    const night = { ...context, marketData: () => closed };
    const asked = vi.spyOn(context.brokers, "forAccount");
    expect(await page([account], night)).toEqual([]);
    expect(asked).not.toHaveBeenCalled();
    await context.db.account.update({
      where: { id: account.id },
      data: { reconciledAt: new Date(Date.now() - 31_000) },
    });
    expect(await page([account], night)).toEqual([]);
    expect(asked).toHaveBeenCalled();
  });

  it.each([
    ["at the speed of the clock, within each half minute", 60_000, 24_000, 26_000],
    ["at ten times its speed, every three seconds", 6_000, 2_000, 3_100],
  ])("is asked on an open practice market that runs %s", async (_, minuteMs, early, late) => {
    await holding();
    const on = { ...context, brokers: { ...context.brokers, practiceMinuteMs: () => minuteMs } };
    const asked = vi.spyOn(on.brokers, "forAccount");
    const agreed = (ms: number) =>
      context.db.account.update({ where: { id: account.id }, data: { reconciledAt: new Date(Date.now() - ms) } });
    await agreed(early);
    expect(await page([account], on)).toEqual([]);
    expect(asked).not.toHaveBeenCalled();
    await agreed(late);
    expect(await page([account], on)).toEqual([]);
    expect(asked).toHaveBeenCalled();
  });

  it("is asked each time while the clock of the practice market stands still, and may be moved by hand", async () => {
    await holding();
    const on = { ...context, brokers: { ...context.brokers, practiceMinuteMs: () => null } };
    const asked = vi.spyOn(on.brokers, "forAccount");
    expect(await page([account], on)).toEqual([]);
    expect(asked).toHaveBeenCalled();
  });

  it("keeps what its writer stored after the books were compared", async () => {
    await holding();
    await exchange.control.clock({ advanceMinutes: 1 });
    const before = await figures();
    const on = betweenTransactions(context, async () => {
      await context.db.accountFigures.update({ where: { accountId: account.id }, data: { version: { increment: 1 } } });
    });
    expect(await page([account], on)).toEqual([]);
    expect(await figures()).toEqual(before);
  });

  it("stays unread where a recovery failed after the books were compared", async () => {
    await holding();
    const where = { id: account.id };
    const on = betweenTransactions(context, async () => {
      await context.db.account.update({ where, data: { reconciledAt: null } });
    });
    await page([account], on);
    expect((await context.db.account.findUniqueOrThrow({ where })).reconciledAt).toBeNull();
  });

  it("is not waited for while it is being written", async () => {
    await holding();
    await exchange.control.clock({ advanceMinutes: 1 });
    const before = await figures();
    await context.db.$transaction(async (tx) => {
      await tx.$queryRaw`select 1 from "Account" where "id" = ${account.id}::uuid for no key update`;
      expect(await page()).toEqual([]);
    });
    expect(await figures()).toEqual(before);
  });
});

describe("an account gets its own turn", () => {
  const at = (data: object) => context.db.account.update({ where: { id: account.id }, data });
  const past = () => new Date(Date.now() - 121_000);
  const brokerAccount = () => account.brokerAccountId;
  const manual = () => exchange.control.manualActions;
  const buy = { symbol: "SPY", qty: "1", side: "buy", time_in_force: "day" };

  const reasons: Record<string, () => Promise<unknown>> = {
    "when its books were read whole two minutes ago": () => at({ readWholeAt: past() }),
    "when its books were never read": () => at({ reconciledAt: null }),
    "when it is being closed": () =>
      at({
        closingAt: new Date(),
        killState: "FLATTEN",
        killReason: "test",
        killSource: "OWNER",
        killSetAt: new Date(),
      }),
    "when it was removed": () => at({ deletedAt: new Date(), status: "INACTIVE" }),
    "when it is stopped because of its keys": () => at({ haltedAt: new Date(), haltReason: ACCESS_TEXT.KEYS.refused }),
    "when money came": () => manual().moveCash(brokerAccount(), { amount: "12.34" }),
    "when a fee was taken": () => manual().moveCash(brokerAccount(), { amount: "-0.01", activity_type: "FEE" }),
    "when shares came": () => manual().moveShares(brokerAccount(), { symbol: "SPY", qty: "1" }),
    "when its owner placed an order": () =>
      manual().placeOrder(brokerAccount(), { ...buy, type: "limit", limit_price: "1" }),
    "when its owner bought": async () => {
      await manual().placeOrder(brokerAccount(), { ...buy, type: "market" });
      await exchange.control.clock({ advanceMinutes: 1 });
    },
    "when its stop was taken from the broker": async () => {
      const { brokerOrderId } = await resting("STOP");
      await manual().cancelOrder(brokerOrderId);
    },
    "when its stop was moved at the broker": async () => {
      const { brokerOrderId, stopPrice } = await resting("STOP");
      await manual().replaceOrder(brokerOrderId, { stop_price: stopPrice!.minus(1).toFixed(2) });
    },
    "when a leg here is not what the broker says": async () =>
      context.db.order.update({ where: { id: (await resting("TARGET")).id }, data: { limitPrice: "1" } }),
    "when the broker blocks it": () =>
      exchange.control.venueActions.changeAccountStatus(accountNumber(), { tradingBlocked: true }),
    "when an order has no answer": async () => {
      const intent = await context.db.intent.findFirstOrThrow({ where: { accountId: account.id } });
      await context.db.intent.update({ where: { id: intent.id }, data: { status: "UNKNOWN" } });
    },
    "when an order is parked": async () => {
      const intent = await context.db.intent.findFirstOrThrow({ where: { accountId: account.id } });
      await context.db.intent.update({ where: { id: intent.id }, data: { status: "PARKED" } });
    },
    "when a decision was recorded and not sent": async () => {
      const decisionId = await decide(context, account, [plannedOrder({ symbol: "SPY" })]);
      const {
        id: _,
        gateVerdictId: __,
        ...row
      } = await context.db.intent.findFirstOrThrow({ where: { accountId: account.id } });
      const clientOrderId = `${row.clientOrderId.slice(0, -4)}zzzz`;
      await context.db.intent.create({
        data: { ...row, decisionId, clientOrderId, leg: row.leg + 1, status: "PLANNED" } as never,
      });
    },
    "when an entry waits at the broker": async () =>
      context.db.order.updateMany({ where: { accountId: account.id, role: "ENTRY" }, data: { status: "ACCEPTED" } }),
    "when shares are without their stop": async () => {
      const position = await context.db.position.findFirstOrThrow({ where: { accountId: account.id } });
      await context.db.order.updateMany({
        where: { accountId: account.id, symbol: position.symbol, role: { in: ["STOP", "TARGET"] } },
        data: { status: "CANCELED" },
      });
    },
    "when a stop is owed": () =>
      context.db.owedStop.create({
        data: {
          accountId: account.id,
          symbol: "SPY",
          qty: "1",
          reason: "test",
          bareSince: new Date(),
          nextTryAt: new Date(Date.now() + 60_000),
        } as never,
      }),
    "when what it held is booked differently here": async () => {
      const lot = await context.db.lot.findFirstOrThrow({ where: { accountId: account.id } });
      await context.db.lot.update({ where: { id: lot.id }, data: { qtyRemaining: { decrement: 1 } } });
    },
  };
  const resting = (role: "STOP" | "TARGET") =>
    context.db.order.findFirstOrThrow({ where: { accountId: account.id, role } });
  const accountNumber = () => exchange.control.truth().find(({ id }) => id === account.brokerAccountId)!.account_number;

  for (const [reason, happens] of Object.entries(reasons))
    it(reason, async () => {
      await holding();
      expect(await page(), "before").toEqual([]);
      await happens();
      const before = await figures();
      expect(await page()).toEqual([account.id]);
      expect(await figures(), "its figures are left to its own turn").toEqual(before);
    });

  it("when its broker does not answer, and no other one does", async () => {
    await holding();
    const other = await openAccount(context);
    await reconcileAccount(context, other.id);
    const brokers: Context["brokers"] = {
      ...context.brokers,
      forAccount: (one) => {
        if (one.id === account.id) throw new Error("the broker does not answer");
        return context.brokers.forAccount(one);
      },
    };
    expect(await page([account, other], { ...context, brokers })).toEqual([account.id]);
  });

  it("when the market's clock cannot be read", async () => {
    await holding();
    const away: Context["marketData"] = () => {
      throw new Error("the practice market does not answer");
    };
    expect(await page([account], { ...context, marketData: away })).toEqual([account.id]);
  });

  it("when the page's reads fail", async () => {
    await holding();
    const failing = new Proxy(context.db, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        return name === "account" ? { ...(value as object), findMany: () => Promise.reject(new Error("away")) } : value;
      },
    });
    expect(await page([account], { ...context, db: failing })).toEqual([account.id]);
  });

  it("when the last run of its page ended its worker: alone, each account is found and halted", async () => {
    await holding();
    const key = scheduleKey(jobs.orderStatusPage.name, account.id);
    await context.db.jobRun.create({
      data: { key, job: jobs.orderStatusPage.name, unfinished: 2, startedAt: new Date() },
    });
    expect(await page()).toEqual([account.id]);
  });
});

it("a page looks at the accounts on its side of a canary's share alone", async () => {
  const accounts = [account];
  const share = WHOLE_SHARE / 2;
  const sides = () =>
    sidesOf(
      [...accounts].sort((a, b) => (a.id < b.id ? -1 : 1)),
      share,
    );
  await reconcileAccount(context, account.id);
  while (sides().some((side) => side.length === 0)) {
    accounts.push(await openAccount(context));
    await reconcileAccount(context, accounts.at(-1)!.id);
  }
  const range = await wake(accounts);
  const [first] = [...accounts].sort((a, b) => (a.id < b.id ? -1 : 1));
  await syncOrderPage(context, { ...range, share });
  const rows = await context.db.schedule.findMany({ where: { key: { in: accounts.map(({ id }) => keyOf(id)) } } });
  for (const { accountId, lastFinishedAt } of rows)
    expect(lastFinishedAt !== null, accountId!).toBe(isInShare(accountId!, share) === isInShare(first!.id, share));
});

it("a page takes as many statements for many accounts as for one", async () => {
  const looking = async (accounts: readonly Account[]) => {
    const range = await wake(accounts);
    const sent = await statementsOf(() => syncOrderPage(context, range));
    for (const { id } of accounts)
      expect(
        (await context.db.schedule.findUniqueOrThrow({ where: { key: keyOf(id) } })).lastFinishedAt,
      ).not.toBeNull();
    return sent;
  };
  await holding();
  const few = await looking([account]);
  expect(few.length, few.join("\n")).toBeLessThanOrEqual(21);
  const more: Account[] = [account];
  while (more.length < 10) {
    const next = await openAccount(context);
    await reconcileAccount(context, next.id);
    more.push(next);
  }
  const many = await looking(more);
  expect(many.length, many.join("\n")).toBeLessThanOrEqual(few.length);
});
