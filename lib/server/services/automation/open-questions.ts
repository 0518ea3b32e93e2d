import { Failure } from "@/lib/domain/failures.ts";
import type { Prisma, Tx } from "../../db.ts";

/** Orders of which nobody knows yet whether the broker has them. */
export function countOpenQuestions(tx: Pick<Tx, "intent">, where: Prisma.IntentWhereInput): Promise<number> {
  return tx.intent.count({ where: { ...where, status: { in: ["SUBMITTING", "UNKNOWN"] } } });
}

/** Nothing is let loose on top of orders whose fate is not known. */
export async function refuseWithOpenQuestions(tx: Pick<Tx, "intent">, where: Prisma.IntentWhereInput): Promise<void> {
  const open = await countOpenQuestions(tx, where);
  if (open === 0) return;
  const what =
    open === 1
      ? "The broker is still being asked about an order"
      : `The broker is still being asked about ${open} orders`;
  throw new Failure("conflict", `${what}: try again in a minute.`);
}
