import type { demoApi } from "@/lib/contracts/demo.ts";
import type { Given } from "@/lib/contracts/endpoint.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { Context } from "../../context.ts";
import { accountsOfEnvironment } from "../../core/accounts-of-environment.ts";
import type { Db } from "../../db.ts";
import { DEMO_TRADER_EMAIL } from "../../demo-trader.ts";
import { env } from "../../env.ts";
import { readToday } from "../insight/read-today.ts";
import { tradeInWords } from "../insight/explain-trade.ts";
import { drawEquity } from "../portfolio/draw-equity.ts";
import { summarizePortfolio } from "../portfolio/summarize-portfolio.ts";

type Demo = Given<typeof demoApi.read>;

/** The trader's figures change with each look of the worker; visitors share one reading for this long. */
const KEPT_MS = 5_000;

interface Kept {
  until: number;
  demo: Promise<Demo>;
}

/** By database, so that however many visitors look, they cost one reading every five seconds. */
const kept = new WeakMap<Db, Kept>();

/** The demo trader's practice account, for visitors without an account: read alone, and nothing that names a record. */
export async function readDemo(context: Context): Promise<Demo> {
  const known = kept.get(context.db);
  const now = performance.now();
  if (known && now < known.until) return known.demo;
  const demo = readAnew(context);
  kept.set(context.db, { until: now + KEPT_MS, demo });
  // What failed is asked again by the next visitor.
  demo.catch(() => kept.delete(context.db));
  return demo;
}

async function readAnew(context: Context): Promise<Demo> {
  const trader = env().DEMO
    ? await context.db.user.findUnique({
        where: { email: DEMO_TRADER_EMAIL, emailVerifiedAt: { not: null } },
        select: { id: true },
      })
    : null;
  if (trader === null) throw nothingToShow();
  // Every reading below is the trader's own, of the practice market alone: whatever else they connect is not shown.
  const actor = { kind: "user", userId: trader.id, role: "USER", signInId: "demo" } as const;
  const asTrader: Context<"user"> = { ...context, actor };
  const environment = "PRACTICE";
  const { accounts } = await accountsOfEnvironment(asTrader, environment);
  if (accounts.length === 0) throw nothingToShow();
  const [today, money, line, purchase] = await Promise.all([
    readToday(asTrader, { environment }),
    summarizePortfolio(asTrader, { environment }),
    drawEquity(asTrader, { environment }),
    latestPurchase(
      asTrader,
      accounts.map(({ id }) => id),
    ),
  ]);
  const { session, asOf, headline, sentences, timeline } = today;
  const { totalValue, pnlDay, pnlTotal, cash, positions } = money;
  return {
    session,
    asOf: asOf ?? money.asOf,
    headline,
    sentences,
    totalValue,
    pnlDay,
    pnlTotal,
    cash,
    points: line.points,
    benchmark: line.benchmark,
    positions,
    timeline,
    purchase,
  };
}

const nothingToShow = () => new Failure("not_found", "There is no live demo in this installation.");

/** The newest purchase that automation made, and its reasons; null before the first. A visitor has no model asked. */
async function latestPurchase(context: Context<"user">, accountIds: readonly string[]): Promise<Demo["purchase"]> {
  const order = await context.db.order.findFirst({
    where: { accountId: { in: [...accountIds] }, origin: "OURS", role: "ENTRY", side: "BUY", filledQty: { gt: 0 } },
    select: { id: true, symbol: true, tradedAt: true },
    orderBy: [{ tradedAt: "desc" }, { id: "desc" }],
  });
  if (order === null) return null;
  const sentences = await tradeInWords(context, order.id);
  return { symbol: order.symbol, at: order.tradedAt, sentences };
}
