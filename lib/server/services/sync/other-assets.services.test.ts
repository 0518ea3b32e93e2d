import { beforeEach, expect, it } from "vitest";
import { money, text } from "@/lib/domain/money.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import type { Account } from "../../core/row-types.ts";
import type { Broker, BrokerExecution, OtherAssets } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import { readBrokerBreaches, readRowBreaches } from "../invariants/read-breaches.ts";
import { openBench } from "@/lib/proof/fixtures/bench.ts";
import { ageFills, buyBracket, hastyBroker, withBroker } from "@/lib/proof/fixtures/orders.ts";
import { reconcileAccount } from "./reconcile-account.ts";

let exchange: Exchange;
let context: Context;
let account: Account;
let real: Broker;
openBench((bench) => ({ exchange, context, account } = bench));
beforeEach(async () => {
  real = hastyBroker(account, 5_000);
});

/** The broker with trades by hand in other assets, which moved so much cash and are worth so much now. */
function withOthers(executions: BrokerExecution[], spent: string, positions: OtherAssets["positions"]): Broker {
  const worth = positions.reduce((total, { marketValue }) => total.plus(marketValue), money(0));
  return {
    ...real,
    executionsSince: async (since) => [...(await real.executionsSince(since)), ...executions],
    account: async () => {
      const balances = await real.account();
      const [cash, equity] = [money(balances.cash).minus(spent), money(balances.equity).minus(spent).plus(worth)];
      return { ...balances, cash: text(cash), equity: text(equity) };
    },
    otherAssets: () => ({ orders: [{ id: "o", symbol: "ETH/USD", assetClass: "crypto" }], positions }),
  };
}

async function othersBought(): Promise<BrokerExecution[]> {
  const { now } = await real.clock();
  const of = (symbol: string, assetClass: string, qty: string, price: string): BrokerExecution => ({
    orderId: `order-of-${symbol}`,
    cumulativeQty: qty,
    qty,
    price,
    side: "BUY",
    symbol,
    at: now,
    assetClass,
  });
  return [of("BTC/USD", "crypto", "0.5", "40000"), of("SPY201218C00350000", "us_option", "2", "3.5")];
}
const HELD = [
  { symbol: "BTCUSD", assetClass: "crypto", marketValue: "25000" },
  { symbol: "SPY201218C00350000", assetClass: "us_option", marketValue: "800" },
];

async function expectWhole(on: Context, broker: Broker): Promise<void> {
  expect(await readRowBreaches(on, account.id)).toEqual([]);
  expect((await readBrokerBreaches(on, account.id, broker)).breaches).toEqual([]);
}
const figures = () => context.db.accountFigures.findUniqueOrThrow({ where: { accountId: account.id } });

it("trades in other assets move cash and nothing else, halt no account, and are notified once (I5)", async () => {
  await buyBracket(exchange, context, account);
  const before = await figures();
  const broker = withOthers(await othersBought(), "20700", HELD);
  const on = withBroker(context, broker);
  for (let again = 0; again < 2; again += 1)
    expect(await reconcileAccount(on, account.id)).toMatchObject({ differences: [], corrections: 0, haltReason: null });
  await expectWhole(on, broker);
  const flows = await context.db.cashFlow.findMany({ where: { accountId: account.id, type: "OTHER_ASSET" } });
  expect(flows.map(({ symbol, amount }) => `${symbol ?? ""} ${text(amount.toString())}`).sort()).toEqual([
    "BTC/USD -20000",
    "SPY201218C00350000 -700",
  ]);
  const { netDeposits, dividends, fees, realizedPnl, tradeCount } = before;
  expect(await figures()).toMatchObject({ netDeposits, dividends, fees, realizedPnl, tradeCount });
  expect(await context.db.lot.count({ where: { accountId: account.id, symbol: { not: "SPY" } } })).toBe(0);
  const logged = await context.db.logEvent.findMany({ where: { accountId: account.id, level: "warn" } });
  expect(logged.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^The account has other assets than stocks \(1 order, 2 positions, 2 executions\)/),
  ]);
});

it("one that the broker takes back gives its cash back", async () => {
  await reconcileAccount(context, account.id);
  const [bought] = await othersBought();
  if (!bought) throw new Error("nothing bought");
  await reconcileAccount(withBroker(context, withOthers([bought], "20000", HELD.slice(0, 1))), account.id);
  const broker = withOthers([{ ...bought, amendment: "canceled" }], "0", []);
  const on = withBroker(context, broker);
  expect(await reconcileAccount(on, account.id)).toMatchObject({ differences: [], haltReason: null });
  await expectWhole(on, broker);
  expect(await context.db.cashFlow.count({ where: { accountId: account.id, type: "OTHER_ASSET" } })).toBe(0);
});

it("what an account held of them before it was connected is part of its opening, and not of its cash", async () => {
  const broker = withOthers(await othersBought(), "20700", HELD);
  const on = withBroker(context, broker);
  expect(await reconcileAccount(on, account.id)).toMatchObject({ differences: [], haltReason: null });
  await ageFills(context, account);
  await expectWhole(on, broker);
  const { equity, netDeposits } = await figures();
  expect(text(netDeposits.toString())).toBe(text(equity.toString()));
});
