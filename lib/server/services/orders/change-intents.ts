import type { IntentStatusName } from "@/lib/domain/enums.ts";
import { mayBeCorrected, mayBecome } from "@/lib/domain/protocol/intent-states.ts";
import type { Intent } from "../../core/row-types.ts";
import type { Db, Prisma, Tx } from "../../db.ts";

interface Change {
  /** Only intents that have one of these statuses in the moment of the change are changed. */
  from: readonly IntentStatusName[];
  to: IntentStatusName;
  data?: Omit<Prisma.IntentUpdateManyMutationInput, "status">;
  /** The broker took an execution back: the one way out of FILLED. */
  isCorrection?: boolean;
}

/**
 * The only way in which an intent is changed: by compare-and-set, along the edges of the table of states. Answers how many
 * were changed; none where another process took the step. Throws where the table has no such edge: a fault of the caller.
 */
export async function changeIntents(
  db: Pick<Db | Tx, "intent">,
  where: Omit<Prisma.IntentWhereInput, "status">,
  { from, to, data, isCorrection = false }: Change,
): Promise<number> {
  const mayGo = isCorrection ? mayBeCorrected : mayBecome;
  const forbidden = from.find((status) => status !== to && !mayGo(status, to));
  if (forbidden !== undefined) throw new Error(`an intent that is ${forbidden} does not become ${to}`);
  const { count } = await db.intent.updateMany({
    where: { ...where, status: { in: [...from] } },
    data: { ...data, status: to },
  });
  return count;
}

/** The intent as it is, held until the transaction ends: what is decided of it holds when it is changed. */
export async function lockIntent(tx: Tx, id: string): Promise<Intent> {
  await tx.$queryRaw`select 1 from "Intent" where "id" = ${id}::uuid for update`;
  return tx.intent.findUniqueOrThrow({ where: { id } });
}
