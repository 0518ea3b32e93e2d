import type { accountsApi } from "@/lib/contracts/accounts.ts";
import type { Given } from "@/lib/contracts/endpoint.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { BrokerTarget, Context } from "@/lib/server/context.ts";
import type { Tx } from "@/lib/server/db.ts";
import { counterOf } from "@/lib/server/limits/limit-counter.ts";
import { isFlagOn } from "../flags/read-flags.ts";
import { checkKeys } from "./check-keys.ts";
import { storeAccount } from "./store-account.ts";

/** A person's openings take turns for this long, which is longer than the exchange is waited for. */
const OPENING_MAX_MS = 60_000;
const NAME = "Practice account";
const TARGET: BrokerTarget = { broker: "PRACTICE", environment: "PAPER" };

/** One click: an account on the practice market with generated keys. A person has one at a time. */
export async function addPracticeAccount(context: Context<"user">): Promise<Given<typeof accountsApi.addPractice>> {
  const { brokers, db } = context;
  const { userId } = context.actor;
  if (!brokers.hasPracticeMarket) throw new Failure("unavailable", "There is no practice market in this installation.");
  if (!(await isFlagOn(context, "practice_market")))
    throw new Failure("conflict", "The practice market takes no new accounts at the moment.");
  const turn = await counterOf("practice-opening").take(userId, 1, OPENING_MAX_MS);
  if (turn.isFull) throw new Failure("conflict", "A practice account is being opened for you already.");
  try {
    // Asked before the exchange opens anything: it keeps what it opened.
    await refuseSecond(db, userId);
    const keys = await brokers.openPracticeAccount(NAME);
    const found = await checkKeys(brokers, TARGET, keys);
    return await storeAccount(
      context,
      { userId, name: NAME, accountType: "INDIVIDUAL", target: TARGET, keys, found },
      async (tx) => {
        await tx.$queryRaw`select "id" from "User" where "id" = ${userId}::uuid for update`;
        await refuseSecond(tx, userId);
      },
    );
  } finally {
    // A turn that cannot be given back ends with its minute.
    await turn.giveBack().catch(() => undefined);
  }
}

async function refuseSecond(tx: Tx, userId: string): Promise<void> {
  const existing = await tx.account.findFirst({
    where: { userId, broker: "PRACTICE", deletedAt: null },
    select: { id: true },
  });
  if (existing) throw new Failure("conflict", "You already have a practice account.");
}
