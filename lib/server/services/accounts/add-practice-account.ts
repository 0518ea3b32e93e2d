import type { accountsApi } from "@/lib/contracts/accounts.ts";
import type { Given } from "@/lib/contracts/endpoint.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { BrokerTarget, Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import { counterOf } from "../../limits/limit-counter.ts";
import { holdOfAccount } from "../sync/hold-of-account.ts";
import { isFlagOn } from "../flags/read-flags.ts";
import { checkKeys } from "./check-keys.ts";
import { accountNotFound, endAccount } from "./end-account.ts";
import { storeAccount, type NewAccount } from "./store-account.ts";

/** A person's openings take turns for this long, which is longer than the exchange is waited for. */
const OPENING_MAX_MS = 60_000;
const NAME = "Practice account";
const TARGET: BrokerTarget = { broker: "PRACTICE", environment: "PAPER" };

/** One click: an account on the practice market with generated keys. A person has one at a time. */
export async function addPracticeAccount(context: Context<"user">): Promise<Given<typeof accountsApi.addPractice>> {
  const { db } = context;
  const { userId } = context.actor;
  return inTurn(context, async () => {
    // Asked before the exchange opens anything: it keeps what it opened.
    await refuseSecond(db, userId);
    return store(context, await openAtExchange(context));
  });
}

/**
 * The person's practice account is deleted as by its owner, with what it holds left on the practice market, and a fresh one takes its
 * place. The fresh one stands at the exchange before the old one ends: while the market is away nothing changes.
 */
export async function startPracticeAgain(context: Context<"user">): Promise<Given<typeof accountsApi.startAgain>> {
  const { db } = context;
  const { userId } = context.actor;
  return inTurn(context, async () => {
    const old = await db.account.findFirst({ where: { userId, broker: "PRACTICE", deletedAt: null } });
    if (!old) throw accountNotFound();
    if (old.closingAt !== null)
      throw new Failure(
        "conflict",
        "Your practice account is being closed. You can start another one once it is deleted.",
      );
    const opened = await openAtExchange(context);
    // Its positions stay at the practice market, with their stops or without.
    await endAccount(context, old, { mayLeaveBare: true });
    const account = await store(context, opened);
    return { ...account, heldBy: await holdOfAccount(context, account.id) };
  });
}

/** A person's openings come one after another: a second one at the same time is refused. */
async function inTurn<T>(context: Context<"user">, open: () => Promise<T>): Promise<T> {
  const { hasPracticeMarket } = context.brokers;
  if (!hasPracticeMarket) throw new Failure("unavailable", "There is no practice market in this installation.");
  if (!(await isFlagOn(context, "practice_market")))
    throw new Failure("conflict", "The practice market accepts no new accounts at the moment. Please try again later.");
  const turn = await counterOf("practice-opening").take(context.actor.userId, 1, OPENING_MAX_MS);
  if (turn.isFull) throw new Failure("conflict", "A practice account is already being opened for you.");
  try {
    return await open();
  } finally {
    // A turn that cannot be given back ends with its minute.
    await turn.giveBack().catch(() => undefined);
  }
}

type Opened = Pick<NewAccount, "keys" | "found">;

async function openAtExchange({ brokers }: Context): Promise<Opened> {
  const keys = await brokers.openPracticeAccount(NAME);
  return { keys, found: await checkKeys(brokers, TARGET, keys) };
}

function store(context: Context<"user">, opened: Opened): Promise<Given<typeof accountsApi.addPractice>> {
  const { userId } = context.actor;
  const account: NewAccount = { userId, name: NAME, accountType: "INDIVIDUAL", target: TARGET, ...opened };
  return storeAccount(context, account, async (tx) => {
    await tx.$queryRaw`select "id" from "User" where "id" = ${userId}::uuid for update`;
    await refuseSecond(tx, userId);
  });
}

async function refuseSecond(tx: Tx, userId: string): Promise<void> {
  const existing = await tx.account.findFirst({
    where: { userId, broker: "PRACTICE", deletedAt: null },
    select: { id: true },
  });
  if (existing) throw new Failure("conflict", "You already have a practice account.");
}
