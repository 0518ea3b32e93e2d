import { Failure } from "@/lib/domain/failures.ts";
import { IN_FLIGHT_INTENTS } from "@/lib/domain/orders.ts";
import { AWAITING_ANSWER, awaitsAnswer } from "@/lib/domain/protocol/intent-states.ts";
import { refusalToResume, waitsForPerson } from "@/lib/domain/protocol/recovery.ts";
import type { Prisma, Tx } from "../../db.ts";
import type { Account } from "../../core/row-types.ts";

function stillAsked(count: number): Failure {
  const what =
    count === 1
      ? "The broker is still being asked about an order"
      : `The broker is still being asked about ${count} orders`;
  return new Failure("conflict", `${what}: try again in a minute.`);
}

/** No switch is released while it is unknown whether the broker has an order. */
export async function refuseWithUnresolvedOrders(
  tx: Pick<Tx, "intent">,
  where: Prisma.IntentWhereInput,
): Promise<void> {
  const open = await tx.intent.count({ where: { ...where, status: { in: [...AWAITING_ANSWER] } } });
  if (open > 0) throw stillAsked(open);
}

/** Says why a halted account may not be resumed; the rule is the domain's. */
export async function refuseToResume(
  tx: Pick<Tx, "intent">,
  { id, reconciledAt }: Pick<Account, "id" | "reconciledAt">,
): Promise<void> {
  const intents = await tx.intent.findMany({
    where: { accountId: id, status: { in: [...IN_FLIGHT_INTENTS] } },
    select: { clientOrderId: true, status: true, nextAskAt: true },
  });
  switch (refusalToResume(intents, reconciledAt !== null)) {
    case null:
      return;
    case "in_the_air":
      throw stillAsked(intents.filter(({ status }) => awaitsAnswer(status)).length);
    case "for_a_person": {
      const waiting = intents.filter(waitsForPerson).map(({ clientOrderId }) => clientOrderId);
      throw new Failure("conflict", `Resolve first: ${waiting.join(", ")}`);
    }
    case "unread":
      throw new Failure("conflict", "The account has not been read at the broker yet. Try again in a moment.");
  }
}
