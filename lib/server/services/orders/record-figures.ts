import { greatest, money, sum, text, type DecimalText } from "@/lib/domain/money.ts";
import { newYork, type Instant } from "@/lib/domain/time.ts";
import type { Account } from "./row-types.ts";
import type { BrokerAccount, BrokerPosition } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import { recordFlow } from "./book-activity.ts";
import { inTransaction, lockAccount } from "./transaction.ts";

const HALF_A_CENT = money("0.005");

/** The broker's balances and marks, as they stand at `at`. Positions that lag behind (`isBehind`) leave the marks alone. */
export async function recordFigures(
  context: Context,
  account: Account,
  balances: BrokerAccount,
  positions: BrokerPosition[],
  at: Instant,
  isBehind: ReadonlySet<string> = new Set(),
): Promise<void> {
  await inTransaction(context, async (tx) => {
    // Only the very first reading has an opening: later differences are never explained away as deposits.
    const isFirst = (await lockAccount(tx, account.id)).activityWatermark === null;
    await tx.accountFigures.upsert({
      where: { accountId: account.id },
      create: { accountId: account.id },
      update: {},
    });
    const unrealized = text(sum(positions.map(({ unrealizedPnl }) => money(unrealizedPnl))));
    if (isFirst) await recordOpening(tx, account.id, balances.equity, unrealized, at);
    for (const { symbol, currentPrice, marketValue, unrealizedPnl, unrealizedPnlPercent } of positions) {
      if (isBehind.has(symbol)) continue;
      await tx.position.updateMany({
        where: { accountId: account.id, symbol },
        data: {
          currentPrice,
          marketValue,
          unrealizedPnl,
          unrealizedPnlPercent: text(money(unrealizedPnlPercent).toDecimalPlaces(9)),
        },
      });
    }
    const figures = await tx.accountFigures.findUniqueOrThrow({ where: { accountId: account.id } });
    const { equity, cash, buyingPower, longMarketValue, lastEquity } = balances;
    await tx.accountFigures.update({
      where: { accountId: account.id },
      data: {
        equity,
        cash,
        buyingPower,
        longMarketValue,
        lastEquity: text(money(lastEquity).toDecimalPlaces(9)),
        highWaterMark: isFirst ? equity : text(greatest(money(figures.highWaterMark), money(equity))),
        asOf: new Date(at),
        version: { increment: 1 },
      },
    });
  });
}

/**
 * What was in the account before its first activity that we can read counts as paid in, so that
 * Δequity = realised + Δunrealised + dividends − fees + flows holds from the first day.
 */
async function recordOpening(
  tx: Tx,
  accountId: string,
  equity: DecimalText,
  unrealized: DecimalText,
  at: Instant,
): Promise<void> {
  const figures = await tx.accountFigures.findUniqueOrThrow({ where: { accountId } });
  const explained = sum([
    money(figures.netDeposits),
    money(figures.realizedPnl),
    money(figures.dividends),
    money(figures.fees).negated(),
    money(unrealized),
  ]);
  const opening = money(equity).minus(explained).toDecimalPlaces(2);
  if (opening.abs().lt(HALF_A_CENT)) return;
  const date = newYork(at).date;
  await recordFlow(tx, accountId, {
    activityId: "opening",
    type: "OPENING",
    symbol: null,
    amount: text(opening),
    date,
  });
}
