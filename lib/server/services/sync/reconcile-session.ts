import { cents, money, text, type Money } from "@/lib/domain/money.ts";
import { addDays, MINUTE_MS, newYorkInstant } from "@/lib/domain/time.ts";
import type { Account } from "../../core/row-types.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import type { CalendarDay } from "../../providers/market-data.ts";
import { dateOf } from "../../rows.ts";
import { readCashLedger } from "../ledger/read-cash-ledger.ts";
import { reconcileAccount, type ReconcileReport } from "./reconcile-account.ts";
import { haltAccount } from "../../core/halt-account.ts";
import { inTransaction, lockAccount } from "../../core/transaction.ts";

/** A fill between two readings is no difference. */
const MOST_READINGS = 3;
const CENT = money("0.01");
/** Where cash differs, executions of so many days are read again: one may have been corrected while the stream was down. */
const LATE_CORRECTION_DAYS = 7;
/** The broker's edges are exclusive, and the first execution may bear the very time of the opening. */
const BEFORE_OPEN_MS = MINUTE_MS;

export interface SessionStatement {
  isClean: boolean;
  findings: string[];
  cashHere: string;
  cashThere: string;
}

/**
 * The statement of a session after its close: every order and every execution since its opening is read
 * again, whatever the watermarks say, then positions and cash are held against the broker's. Cash is
 * conserved to the cent: opening + deposits − buys + sells + dividends − fees. What does not agree halts the
 * account and names both amounts. The statement is stored; the caller is the account's only writer.
 */
export async function reconcileSession(
  context: Context,
  account: Account,
  { session, opensAt }: Pick<CalendarDay, "session" | "opensAt">,
): Promise<SessionStatement> {
  const accountId = account.id;
  const from = new Date(Date.parse(opensAt) - BEFORE_OPEN_MS).toISOString();
  let report = await reconcileAccount(context, accountId, { from });
  let cash = await readCash(context, account, report);
  const { orders, executions, flows } = report;
  let { corrections } = report;
  for (let reading = 1; cash.finding !== null && reading < MOST_READINGS; reading += 1) {
    report = await reconcileAccount(context, accountId, {
      from: newYorkInstant(addDays(session, -LATE_CORRECTION_DAYS), 0, 0),
    });
    cash = await readCash(context, account, report);
    corrections += report.corrections;
  }
  const { at, differences, missingOrders } = report;
  const findings = [
    ...differences.map(({ symbol, ours, theirs }) => `${symbol}: ${ours} here, ${theirs} at the broker`),
    ...missingOrders.map((id) => `order ${id} is not known to the broker`),
    ...(cash.finding === null ? [] : [cash.finding]),
  ];
  const isClean = findings.length === 0;
  const [cashHere, cashThere] = [text(cash.here.toDecimalPlaces(9)), text(cash.there)];
  await inTransaction(context, async (tx) => {
    await lockAccount(tx, accountId);
    const counts = { orders, executions, corrections, flows };
    const row = { at: new Date(at), isClean, ...counts, cashHere, cashThere, findings };
    const key = { accountId, session: dateOf(session) };
    await tx.reconciliation.upsert({
      where: { accountId_session: key },
      create: { ...key, ...row },
      update: row,
    });
    if (cash.finding !== null) await haltAccount(context, tx, accountId, cash.finding);
    await recordAudit(tx, {
      at: context.now(),
      eventType: "SESSION_RECONCILED",
      actor: context.actor,
      subjectUserId: account.userId,
      requestId: context.request.id,
      data: { accountId, session, isClean, cashHere, cashThere, findings },
    });
  });
  if (isClean) context.log.info("session.reconciled", { accountId, session });
  else context.log.error("session.diverged", { accountId, session, issues: findings });
  return { isClean, findings, cashHere, cashThere };
}

/** Our ledger against the broker's cash; a finding in words where they differ by more than rounding and fees on their way. */
async function readCash(
  { db }: Context,
  account: Account,
  { balances }: ReconcileReport,
): Promise<{ here: Money; there: Money; finding: string | null }> {
  const { cash: here, fills } = await readCashLedger(db, account.id);
  const there = money(balances.cash);
  const less = here.minus(there);
  // The practice market keeps every place of a fill's value; elsewhere each fill may be rounded to a cent.
  const rounding = account.broker === "PRACTICE" ? CENT : CENT.plus(money("0.005").times(fills));
  const isEqual = less.abs().lt(rounding);
  const isOwed = less.gt(0) && less.lte(money(balances.accruedFees ?? "0").plus(rounding));
  const finding =
    isEqual || isOwed ? null : `Cash differs: ${text(cents(here))} here, ${text(cents(there))} at the broker`;
  return { here, there, finding };
}
