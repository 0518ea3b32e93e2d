import { randomUUID } from "node:crypto";
import { decideExits } from "@/lib/domain/engine/decide-exits.ts";
import type { PlannedOrder } from "@/lib/domain/engine/plan.ts";
import { text } from "@/lib/domain/money.ts";
import { exitGates } from "@/lib/domain/risk/exit-gates.ts";
import type { Context } from "../../context.ts";
import { logUserEvents } from "../../core/log-user-events.ts";
import { isFlattening, readSwitches, refusalToSend } from "../orders/refusal-to-send.ts";
import type { Account } from "../../core/row-types.ts";
import { firstAttempt } from "../orders/record-intent.ts";
import { isAtBroker } from "../orders/send-leg.ts";
import { submitLeg, type SubmittedLeg } from "../orders/submit-leg.ts";
import { undecidedText } from "../orders/undecided-text.ts";
import { recoveredSinceStart } from "../sync/recover-accounts.ts";
import { activePolicy } from "../../core/active-policy.ts";
import { readUnscreened } from "./read-unscreened.ts";

/**
 * Sells every position of the engine, as a cycle under FLATTEN would, without waiting for one: a stop must
 * work when the market cannot be screened. The caller is the account's single writer. Nothing is sent while
 * the market is closed; the protective stops rest at the broker.
 */
export async function flattenAccount(context: Context, accountId: string, epoch: number): Promise<SubmittedLeg[]> {
  const switches = await readSwitches(context.db, accountId, null);
  if (refusalToSend(switches, { side: "SELL", purpose: "FLATTEN" }, epoch) !== null) return [];
  const account = await context.db.account.findUniqueOrThrow({ where: { id: accountId } });
  // Recovery comes before new work.
  if (!(await recoveredSinceStart(context, account))) return [];
  const broker = context.brokers.forAccount(account);
  const policy = await activePolicy(context);
  const { state, market } = await readUnscreened(context, broker, account);
  if (state.killState !== "FLATTEN" || !market.session.isOpen) return [];
  const sales = decideExits(state, market, policy).orders.filter(({ purpose }) => purpose === "FLATTEN");
  const prices = await currentPrices(context, accountId);
  const planId = randomUUID();
  const legs: SubmittedLeg[] = [];
  for (const [index, { purpose, ...sale }] of sales.entries()) {
    // It may be taken back between two sales: the shares of the others keep their stops.
    if (!isFlattening(await readSwitches(context.db, accountId, null))) break;
    const order = { ...sale, leg: index, decisionPrice: prices.get(sale.symbol) ?? sale.decisionPrice };
    const leg = firstAttempt({
      planId,
      decisionId: null,
      policyVersion: policy.version,
      decidedAt: market.at,
      purpose,
      order,
    });
    const regate = async () => {
      const fresh = await readUnscreened(context, broker, account);
      return exitGates("FLATTEN", fresh.state, fresh.market);
    };
    const sent = await submitLeg(context, account, broker, leg, { epoch, regate });
    context.log.warn("flatten-leg.submitted", { accountId, ...sent });
    legs.push(sent);
    await note(context, account, { ...order, purpose }, sent, market.at);
  }
  return legs;
}

async function currentPrices({ db }: Context, accountId: string): Promise<Map<string, string>> {
  const positions = await db.position.findMany({ where: { accountId }, select: { symbol: true, currentPrice: true } });
  return new Map(
    positions.flatMap(({ symbol, currentPrice }) =>
      currentPrice === null ? [] : [[symbol, text(currentPrice)] as const],
    ),
  );
}

async function note(
  { db }: Context,
  { id: accountId, userId }: Account,
  { symbol, qty }: PlannedOrder,
  { status, reason }: SubmittedLeg,
  at: string,
): Promise<void> {
  const what = `order to sell ${qty} ${symbol} (kill switch: flatten)`;
  const unsent = `Not sold yet: ${qty} ${symbol} (kill switch: flatten): ${reason ?? status.toLowerCase()}`;
  const line = isAtBroker(status)
    ? ({ level: "info", message: `Sent: ${what}` } as const)
    : (undecidedText(what, { status, reason }) ?? ({ level: "warn", message: unsent } as const));
  await logUserEvents(db, [{ ...line, userId, accountId, marketAt: new Date(at) }]);
}
