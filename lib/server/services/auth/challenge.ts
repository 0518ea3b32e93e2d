import { randomBytes } from "node:crypto";
import { Failure } from "@/lib/domain/failures.ts";
import { MINUTE_MS } from "@/lib/domain/time.ts";
import type { Prisma, Tx } from "../../db.ts";
import { tokenHash } from "../../secrets/email-token.ts";

const CHALLENGE_MS = 5 * MINUTE_MS;
/** Answers to one challenge, wrong ones and the right one. */
export const ANSWERS_MOST = 5;

type Kind = Prisma.AuthChallengeGetPayload<object>["kind"];
export type Challenge = Prisma.AuthChallengeGetPayload<{ include: { user: true } }>;

/** Asks one person one question. The ticket that names it is stored as a hash only; expired ones of the person go. */
export async function askChallenge(
  tx: Tx,
  question: { userId: string; tokenVersion: number; kind: Kind; challenge?: string },
  at: Date,
): Promise<{ ticket: string; expiresAt: Date }> {
  const ticket = randomBytes(32).toString("base64url");
  const expiresAt = new Date(at.getTime() + CHALLENGE_MS);
  await tx.authChallenge.deleteMany({ where: { userId: question.userId, expiresAt: { lte: at } } });
  await tx.authChallenge.create({ data: { ...question, tokenHash: tokenHash(ticket), createdAt: at, expiresAt } });
  return { ticket, expiresAt };
}

/** Challenges that may still be answered. */
const open = (ticket: string, kind: Kind, at: Date) =>
  ({
    tokenHash: tokenHash(ticket),
    kind,
    usedAt: null,
    expiresAt: { gt: at },
    failures: { lt: ANSWERS_MOST },
  }) satisfies Prisma.AuthChallengeWhereInput;

/** The open challenge behind a ticket with its person, or null: what ends sign-ins ends it too. */
export async function openChallenge(tx: Tx, ticket: string, kind: Kind, at: Date): Promise<Challenge | null> {
  const found = await tx.authChallenge.findFirst({ where: open(ticket, kind, at), include: { user: true } });
  return found && isInForce(found) ? found : null;
}

/**
 * Takes one of the answers to a challenge before it is looked at, so that answers at once are counted like answers one after
 * the other. Null where there is none left.
 */
export async function takeAnswer(tx: Tx, ticket: string, kind: Kind, at: Date): Promise<Challenge | null> {
  const [taken] = await tx.authChallenge.updateManyAndReturn({
    where: open(ticket, kind, at),
    data: { failures: { increment: 1 } },
    include: { user: true },
  });
  return taken && isInForce(taken) ? taken : null;
}

/** For an answer that was no guess: it costs none of those that are left. */
export async function giveAnswerBack(tx: Tx, id: string): Promise<void> {
  await tx.authChallenge.updateMany({ where: { id, failures: { gt: 0 } }, data: { failures: { decrement: 1 } } });
}

const isInForce = ({ user, tokenVersion }: Challenge) => user.disabledAt === null && user.tokenVersion === tokenVersion;

/** Ends a challenge that was answered rightly. Throws, and so undoes the transaction, where another answer finished first. */
export async function endChallenge(tx: Tx, id: string, at: Date): Promise<void> {
  const { count } = await tx.authChallenge.updateMany({ where: { id, usedAt: null }, data: { usedAt: at } });
  if (count === 0) throw new Failure("conflict", "This step was completed already. Please start again.");
}
