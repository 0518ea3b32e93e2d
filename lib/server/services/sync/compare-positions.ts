import { setTimeout as delay } from "node:timers/promises";
import { money, text, ZERO, type DecimalText, type Money } from "@/lib/domain/money.ts";
import { latestOf } from "@/lib/domain/wall-clock.ts";
import { byAccount } from "../../core/by-account.ts";
import type { Account } from "../../core/row-types.ts";
import type { Broker, BrokerPosition } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import { importExecution, fetchExecutionsSince } from "../orders/import-execution.ts";
import { correctSymbols } from "./correct-executions.ts";

export interface PositionDifference {
  symbol: string;
  ours: DecimalText;
  theirs: DecimalText;
}

/** A fill between two readings, or a position that lags behind its fill, is no difference: read again. */
const READ_AGAIN_AFTER_MS = [0, 250, 1_000];
/** Longer than any lag of a broker's positions behind its fills that was ever seen. Wall time. */
const POSITION_LAG_MS = 30_000;

export interface ComparedPositions {
  positions: BrokerPosition[];
  differences: PositionDifference[];
  lateExecutions: number;
  lateCorrections: number;
}

/** Our lots against the broker's positions, exactly. What differs lastingly is looked at again for corrected executions. */
export async function comparePositions(context: Context, account: Account, broker: Broker): Promise<ComparedPositions> {
  let lateExecutions = 0;
  let positions = await broker.positions();
  let differences = await positionDifferences(context, account.id, positions);
  for (const pauseMs of READ_AGAIN_AFTER_MS) {
    if (differences.length === 0) break;
    await delay(pauseMs);
    positions = await broker.positions();
    for (const execution of await fetchExecutionsSince(broker, account.activityWatermark))
      if (await importExecution(context, account, broker, execution, "RECONCILE")) lateExecutions += 1;
    differences = await positionDifferences(context, account.id, positions);
  }
  const lasting = await lastingDifferences(context, account.id, differences);
  const symbols = lasting.map(({ symbol }) => symbol);
  const lateCorrections = symbols.length === 0 ? 0 : await correctSymbols(context, account, broker, symbols);
  if (lateCorrections > 0) {
    positions = await broker.positions();
    differences = await positionDifferences(context, account.id, positions);
  }
  return { positions, differences, lateExecutions, lateCorrections };
}

/**
 * The differences that speak against the books. A position may lag behind a fill that was just booked: it
 * is asked for again by the next reading, and until then our own books count.
 */
export async function lastingDifferences(
  { db, now }: Context,
  accountId: string,
  differences: PositionDifference[],
): Promise<PositionDifference[]> {
  if (differences.length === 0) return [];
  const fresh = await db.fill.findMany({
    where: {
      accountId,
      symbol: { in: differences.map(({ symbol }) => symbol) },
      createdAt: { gte: new Date(now().getTime() - POSITION_LAG_MS), lte: latestOf(0, now()) },
    },
    select: { symbol: true },
  });
  return differences.filter(({ symbol }) => !fresh.some((fill) => fill.symbol === symbol));
}

/** Our lots and the broker's positions where they are not the same, as both stand now. */
export async function positionDifferences(
  { db }: Pick<Context, "db">,
  accountId: string,
  positions: BrokerPosition[],
): Promise<PositionDifference[]> {
  return differencesOf((await readHeldLots({ db }, [accountId]))(accountId), positions);
}

export interface HeldLots {
  accountId: string;
  symbol: string;
  qty: Money;
}

/** What several accounts hold by our lots, in one statement. */
export async function readHeldLots(
  { db }: Pick<Context, "db">,
  accountIds: readonly string[],
): Promise<(accountId: string) => HeldLots[]> {
  const lots = await db.lot.groupBy({
    by: ["accountId", "symbol"],
    where: { accountId: { in: [...accountIds] }, qtyRemaining: { gt: 0 } },
    _sum: { qtyRemaining: true },
  });
  return byAccount(lots.map(({ _sum, ...lot }) => ({ ...lot, qty: money(_sum.qtyRemaining ?? 0) })));
}

/** What is held by our lots, and the broker's positions, where they are not the same. */
export function differencesOf(lots: readonly HeldLots[], positions: readonly BrokerPosition[]): PositionDifference[] {
  const ours = new Map(lots.map(({ symbol, qty }) => [symbol, qty]));
  const theirs = new Map(positions.map(({ symbol, qty }) => [symbol, money(qty)]));
  return [...new Set([...ours.keys(), ...theirs.keys()])].sort().flatMap((symbol) => {
    const here = ours.get(symbol) ?? ZERO;
    const there = theirs.get(symbol) ?? ZERO;
    return here.eq(there) ? [] : [{ symbol, ours: text(here), theirs: text(there) }];
  });
}
