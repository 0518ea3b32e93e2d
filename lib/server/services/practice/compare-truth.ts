import { cents, money, sum, text } from "@/lib/domain/money.ts";
import type { Context } from "../../context.ts";
import {
  practiceStatus,
  practiceTruth,
  setPracticeClock,
  type PracticeTruth,
} from "../../providers/practice-control.ts";
import { IN_FLIGHT_INTENTS } from "@/lib/domain/orders.ts";

export interface TruthReport {
  accounts: {
    accountNumber: string;
    owner: string;
    orders: number;
    fills: number;
    positions: number;
    cash: string;
    differences: string[];
  }[];
}

/** The worker follows orders every few seconds; a minute without is a difference in itself. */
const SETTLE_TIMEOUT_MS = 60_000;
const POLL_MS = 250;

/** Compares every practice account of the product with the exchange's own books, at rest. */
export async function comparePractice(
  context: Context,
  /** Who follows the orders meanwhile: the running worker, unless a caller does it. */
  follow: (accountId: string) => Promise<void> = () => Promise.resolve(),
): Promise<TruthReport> {
  const before = await practiceStatus();
  await setPracticeClock({ paused: true });
  try {
    const accounts = await context.db.account.findMany({
      where: { broker: "PRACTICE", deletedAt: null },
      include: { user: { select: { email: true } }, figures: true },
    });
    const pausedAt = context.now();
    for (const { id } of accounts) await follow(id);
    await waitUntilFollowed(
      context,
      accounts.map((account) => account.id),
      pausedAt,
    );
    const truth = await practiceTruth();
    const byId = new Map(truth.accounts.map((account) => [account.id, account]));
    const report: TruthReport = { accounts: [] };
    for (const { id, brokerAccountId, user } of accounts) {
      const theirs = byId.get(brokerAccountId);
      const found = await compareAccount(context, id, theirs);
      report.accounts.push({ accountNumber: theirs?.account_number ?? brokerAccountId, owner: user.email, ...found });
    }
    return report;
  } finally {
    if (!before.isPaused) await setPracticeClock({ paused: false });
  }
}

/** Waits until each account was followed once more after the pause, and nothing of ours is on its way. */
async function waitUntilFollowed({ db, now }: Context, ids: string[], pausedAt: Date): Promise<void> {
  for (;;) {
    const waiting = await db.account.count({
      where: {
        id: { in: ids },
        OR: [
          { reconciledAt: null },
          { reconciledAt: { lte: pausedAt } },
          {
            intents: {
              some: { status: { in: IN_FLIGHT_INTENTS.filter((status) => status !== "LIVE" && status !== "PARKED") } },
            },
          },
        ],
      },
    });
    if (waiting === 0 || now().getTime() - pausedAt.getTime() > SETTLE_TIMEOUT_MS) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** One account against the exchange's books of it. */
export async function compareAccount(
  { db, now }: Context,
  accountId: string,
  theirs: Pick<PracticeTruth["accounts"][number], "cash" | "positions" | "orders" | "fills"> | undefined,
) {
  const [account, positions, lots, orders, fills] = await Promise.all([
    db.account.findUniqueOrThrow({ where: { id: accountId }, include: { figures: true } }),
    db.position.findMany({ where: { accountId } }),
    db.lot.groupBy({ by: ["symbol"], where: { accountId, qtyRemaining: { gt: 0 } }, _sum: { qtyRemaining: true } }),
    db.order.findMany({ where: { accountId } }),
    db.fill.findMany({ where: { accountId } }),
  ]);
  const differences: string[] = [];
  const cash = account.figures ? text(cents(money(account.figures.cash))) : "unknown";
  const counts = { orders: orders.length, fills: fills.length, positions: positions.length, cash };
  if (!theirs) return { ...counts, differences: ["the exchange does not know this account"] };
  const differ = (what: string, ours: string | null, exchange: string | null) => {
    if (ours !== exchange) differences.push(`${what}: here ${ours ?? "none"}, at the exchange ${exchange ?? "none"}`);
  };
  const plain = (value: { toString(): string } | null | undefined) => (value == null ? null : text(value.toString()));

  if (!account.reconciledAt || now().getTime() - account.reconciledAt.getTime() > SETTLE_TIMEOUT_MS) {
    differences.push("the worker has not followed this account for a minute");
  }
  if (account.haltReason) differences.push(`the account is halted: ${account.haltReason}`);
  differ("cash", cash, text(cents(money(theirs.cash))));

  for (const symbol of new Set([...positions.map((row) => row.symbol), ...theirs.positions.map((row) => row.symbol)])) {
    const ours = positions.find((row) => row.symbol === symbol);
    const there = theirs.positions.find((row) => row.symbol === symbol);
    differ(`${symbol} position`, plain(ours?.qty), plain(there?.qty));
    differ(`${symbol} lots`, plain(lots.find((row) => row.symbol === symbol)?._sum.qtyRemaining), plain(there?.qty));
  }

  const oursById = new Map(orders.map((row) => [row.brokerOrderId, row]));
  const known = new Set<string>();
  for (const there of theirs.orders) {
    known.add(there.id);
    const ours = oursById.get(there.id);
    const name = `order ${there.symbol} ${there.side} ${there.client_order_id}`;
    if (!ours) {
      differences.push(`${name}: not known here`);
      continue;
    }
    differ(`${name} status`, ours.brokerStatus, there.status);
    differ(`${name} filled quantity`, plain(ours.filledQty), plain(there.filled_qty));
  }
  for (const row of orders)
    if (!known.has(row.brokerOrderId)) differences.push(`order ${row.clientOrderId}: not known at the exchange`);

  differ("number of fills", String(fills.length), String(theirs.fills.length));
  const value = (rows: { qty: { toString(): string }; price: { toString(): string }; side: string }[]) =>
    text(
      cents(
        sum(
          rows.map((row) =>
            money(row.qty)
              .times(money(row.price))
              .times(row.side.toUpperCase() === "BUY" ? -1 : 1),
          ),
        ),
      ),
    );
  differ("money moved by fills", value(fills), value(theirs.fills));
  return { ...counts, differences };
}
