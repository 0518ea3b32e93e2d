import { ACCESS_TEXT } from "@/lib/domain/account-access.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { IN_FLIGHT_INTENTS } from "@/lib/domain/orders.ts";
import { awaitsAnswer } from "@/lib/domain/protocol/intent-states.ts";
import type { Context } from "../../context.ts";
import type { Account, Intent } from "../../core/row-types.ts";
import type { Prisma } from "../../db.ts";
import { readSwitches, refusalToSend } from "../orders/refusal-to-send.ts";
import { areKeysUnopenable } from "../sync/key-halts.ts";

export type Position = Prisma.PositionGetPayload<object>;

/** The caller's own account; for other callers it does not exist. */
export async function ownAccount({ actor, db }: Context<"user">, accountId: string): Promise<Account> {
  const account = await db.account.findFirst({ where: { id: accountId, userId: actor.userId, deletedAt: null } });
  if (account === null) throw new Failure("not_found", "Account not found.");
  return account;
}

/** What the account holds of the symbol and the automation bought; what else is in it is sold where it was bought. */
export async function heldPosition(
  { db }: Pick<Context, "db">,
  { id: accountId }: Account,
  symbol: string,
): Promise<Position> {
  const position = await db.position.findFirst({ where: { accountId, symbol, qty: { gt: 0 } } });
  if (position === null) throw new Failure("not_found", `This account holds no ${symbol}.`);
  if (position.strategy === null)
    throw new Failure(
      "conflict",
      `Tradewind did not buy this ${symbol} and does not trade it: sell it at your broker.`,
    );
  return position;
}

/** Throws where what is typed is not the phrase. */
export function refuseOtherWords(typed: string, phrase: string): void {
  if (typed.toUpperCase() === phrase) return;
  const message = `Type ${phrase} to confirm.`;
  throw new Failure("invalid_input", message, { issues: [{ path: "confirmation", message }] });
}

/** Throws where the order protocol would send nothing for the account: said before anything is recorded or cancelled. */
export async function refuseAccount(context: Context, account: Account, epoch: number): Promise<void> {
  if (account.sealedKeys === null) throw new Failure("conflict", ACCESS_TEXT[account.access].erased);
  if (areKeysUnopenable(account)) throw new Failure("conflict", ACCESS_TEXT[account.access].cannotOpen);
  if (account.haltedAt !== null)
    throw new Failure(
      "conflict",
      `This account is halted, so nothing can be sent from here: ${account.haltReason ?? "resume it first."} Protective stops stay at your broker, where you can sell at any time.`,
    );
  if (account.status === "INACTIVE")
    throw new Failure("conflict", "This account is not confirmed, so nothing can be sent from here.");
  if (account.reconciledAt === null)
    throw new Failure("account_busy", "The account is read at the broker first. Try again in a moment.");
  const switches = await readSwitches(context.db, account.id, null);
  const refusal = refusalToSend(switches, { side: "SELL", purpose: "MANUAL" }, epoch);
  if (refusal !== null) throw new Failure("conflict", `Nothing can be sent right now: ${refusal}.`);
}

/** Throws where an order of the symbol is on its way, or may be: a second one would meet it. Resting stops are none. */
export async function refuseInFlight({ db }: Context, accountId: string, symbol: string): Promise<void> {
  const open = await db.intent.findMany({
    where: { accountId, symbol, status: { in: [...IN_FLIGHT_INTENTS] } },
    select: { side: true, purpose: true, status: true },
  });
  const inTheWay = open.find((intent) => !isResting(intent));
  if (inTheWay !== undefined) throw new Failure("conflict", inFlightText(inTheWay, symbol));
}

const isResting = ({ side, purpose, status }: Pick<Intent, "side" | "purpose" | "status">) =>
  side === "SELL" && purpose === "PROTECT" && status === "LIVE";

function inFlightText({ side, status }: Pick<Intent, "side" | "status">, symbol: string): string {
  if (status === "PARKED")
    return `The outcome of an order for ${symbol} is not known yet: an administrator has to settle it first.`;
  if (awaitsAnswer(status)) return `The broker is being asked about an order for ${symbol}. Try again in a minute.`;
  return side === "BUY"
    ? `An order to buy ${symbol} is open. Wait until it is filled or cancelled.`
    : `An order to sell ${symbol} is already open.`;
}
