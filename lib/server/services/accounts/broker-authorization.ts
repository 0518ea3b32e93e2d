import { randomBytes } from "node:crypto";
import { Failure } from "@/lib/domain/failures.ts";
import { DAY_MS, MINUTE_MS } from "@/lib/domain/time.ts";
import type { Context, SignedIn } from "../../context.ts";
import type { Prisma, Tx } from "../../db.ts";
import { tokenHash } from "../../secrets/email-token.ts";
import { signInOf } from "../../core/sign-in-of.ts";

const OPEN_MS = 10 * MINUTE_MS;

/** What is connected: told before the person leaves, because what they come back with says nothing of it. */
type Wish = Pick<Prisma.BrokerAuthorizationUncheckedCreateInput, "environment" | "accountType" | "name" | "accountId">;

export type BrokerAuthorization = Prisma.BrokerAuthorizationGetPayload<object>;

/** Answers the state that the person takes along: 256 bits, kept as a hash. */
export async function openAuthorization(tx: Tx, actor: SignedIn, wish: Wish, at: Date): Promise<string> {
  const state = randomBytes(32).toString("base64url");
  const { userId } = actor;
  // A day longer than they last, so that who comes back late reads why.
  await tx.brokerAuthorization.deleteMany({ where: { userId, expiresAt: { lte: new Date(at.getTime() - DAY_MS) } } });
  await tx.brokerAuthorization.create({
    data: {
      ...wish,
      userId,
      signInId: signInOf(actor),
      stateHash: tokenHash(state),
      createdAt: at,
      expiresAt: new Date(at.getTime() + OPEN_MS),
    },
  });
  return state;
}

const AGAIN = "Nothing was saved. Start again on the Alpaca Keys page.";

/**
 * Takes what this person began in this sign-in, once. A state of another person or sign-in is answered like an unknown one,
 * so that an account chosen by another user is never connected.
 */
export async function takeAuthorization(
  { db, actor, now }: Context<"user">,
  state: string,
): Promise<BrokerAuthorization> {
  const at = now();
  const own = { stateHash: tokenHash(state), userId: actor.userId, signInId: signInOf(actor) };
  const [taken] = await db.brokerAuthorization.updateManyAndReturn({
    where: { ...own, usedAt: null, expiresAt: { gt: at } },
    data: { usedAt: at },
  });
  if (taken) return taken;
  const found = await db.brokerAuthorization.findFirst({ where: own, select: { usedAt: true } });
  if (!found) throw new Failure("conflict", `This connection was not started in this sign-in. ${AGAIN}`);
  if (found.usedAt !== null) throw new Failure("conflict", `This connection was already completed. ${AGAIN}`);
  throw new Failure("conflict", `This connection was started more than ten minutes ago. ${AGAIN}`);
}
