import type { IntentStatusName } from "@/lib/domain/enums.ts";
import { mayBeCorrected, mayBecome } from "@/lib/domain/protocol/intent-states.ts";
import type { Account, Intent } from "../../core/row-types.ts";
import { columnsOf } from "../../core/transaction.ts";
import { type Db, Prisma, type Tx } from "../../db.ts";

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
  change: Change,
): Promise<number> {
  const { count } = await db.intent.updateMany(compareAndSet(where, change));
  return count;
}

/** The same for one intent. Answers it as it is then; null where another process took the step. */
export async function changeIntent(db: Pick<Db | Tx, "intent">, id: string, change: Change): Promise<Intent | null> {
  const [changed] = await db.intent.updateManyAndReturn(compareAndSet({ id }, change));
  return changed ?? null;
}

function compareAndSet(
  where: Omit<Prisma.IntentWhereInput, "status">,
  { from, to, data, isCorrection = false }: Change,
) {
  const mayGo = isCorrection ? mayBeCorrected : mayBecome;
  const forbidden = from.find((status) => status !== to && !mayGo(status, to));
  if (forbidden !== undefined) throw new Error(`an intent that is ${forbidden} does not become ${to}`);
  return { where: { ...where, status: { in: [...from] } }, data: { ...data, status: to } };
}

const INTENT_COLUMNS = columnsOf(Prisma.IntentScalarFieldEnum, "i");

/** The intent as it is, held until the transaction ends: what is decided of it holds when it is changed. */
export async function lockIntent(tx: Tx, id: string): Promise<Intent> {
  const [intent] = await tx.$queryRaw<Intent[]>`
    select ${INTENT_COLUMNS} from "Intent" i where i."id" = ${id}::uuid for update`;
  if (intent === undefined) throw new Error(`there is no intent ${id} to lock`);
  return intent;
}

/**
 * The same with everything that may stop an order: the account, the system's kill state (whose lock guards the symbols' switches, too) and the owner,
 * locked in this order and before the intent. Switches have to be read after it: this statement would see them as they were when it began to wait.
 */
export async function lockToSend(tx: Tx, { id, accountId }: Pick<Intent, "id" | "accountId">): Promise<LockedToSend> {
  const [intent] = await tx.$queryRaw<LockedToSend[]>`
    select ${INTENT_COLUMNS}, u."id" as "userId" from "Account" a, "SystemState" s, "User" u, "Intent" i
    where a."id" = ${accountId}::uuid and s."id" = 1 and u."id" = a."userId" and i."id" = ${id}::uuid
    for no key update of a for share of s for share of u for update of i`;
  if (intent === undefined) throw new Error(`there is no intent ${id} to lock`);
  return intent;
}

type LockedToSend = Intent & Pick<Account, "userId">;
