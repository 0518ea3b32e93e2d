import { Failure } from "@/lib/domain/failures.ts";
import { money, type DecimalText } from "@/lib/domain/money.ts";
import type { Context } from "../../context.ts";
import type { AuditEntry } from "../../audit/record-audit.ts";
import { recordEvent } from "../../core/record-event.ts";
import type { Account } from "../../core/row-types.ts";
import { inTransaction, lockAccount } from "../../core/transaction.ts";
import type { Prisma } from "../../db.ts";

export type ManualOrder = Prisma.ManualOrderGetPayload<object>;

interface Asked {
  requestId: string;
  kind: ManualOrder["kind"];
  symbol: string;
  qty: DecimalText | null;
  stopPrice: DecimalText | null;
}

/**
 * The request of this id as it was recorded; null where it is new. Throws where the id stands for something else: one id is
 * one order.
 */
export async function knownRequest(
  { actor, db }: Pick<Context<"user">, "actor" | "db">,
  accountId: string,
  asked: Asked,
): Promise<ManualOrder | null> {
  // Of all accounts of the owner: what became of a request is read by its id alone.
  const ofOwner = { id: asked.requestId, account: { userId: actor.userId } };
  const known = await db.manualOrder.findFirst({ where: ofOwner });
  if (known === null) return null;
  const isSame =
    known.accountId === accountId &&
    known.kind === asked.kind &&
    known.symbol === asked.symbol &&
    isEqual(known.qty, asked.qty) &&
    isEqual(known.stopPrice, asked.stopPrice);
  if (!isSame) throw new Failure("conflict", "This request id was already used for another order. Please try again.");
  return known;
}

const isEqual = (known: Prisma.Decimal | null, asked: DecimalText | null) =>
  known === null || asked === null ? known === asked : money(known).eq(asked);

/** Records what the owner asks for, with its words in their log and its row in the audit trail. The caller is the account's only writer. */
export async function recordRequest(
  context: Context<"user">,
  account: Account,
  { requestId, kind, symbol, qty, stopPrice }: Asked,
  { message, marketAt, audit }: { message: string; marketAt: Date; audit: Pick<AuditEntry, "eventType" | "data"> },
): Promise<void> {
  const at = context.now();
  await inTransaction(context, async (tx) => {
    await lockAccount(tx, account.id);
    const data = { id: requestId, accountId: account.id, kind, symbol, qty, stopPrice, requestedAt: at };
    await tx.manualOrder.create({ data });
    await recordEvent(context, tx, {
      level: "info",
      message,
      userId: account.userId,
      accountId: account.id,
      marketAt,
      detail: { symbol, requestId },
      at,
      audit,
    });
  });
}
