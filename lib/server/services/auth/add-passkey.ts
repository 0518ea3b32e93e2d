import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import { SECURITY_BOUNDS, type securityApi } from "@/lib/contracts/security.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { Context } from "../../context.ts";
import { isUniqueViolation, type Tx } from "../../db.ts";
import { arePasskeysPossible, newPasskeyOptions, readNewPasskey } from "../../secrets/passkeys.ts";
import { inTransaction } from "../../core/transaction.ts";
import { askChallenge, endChallenge, takeAnswer } from "./challenge.ts";
import { afterAdding } from "./change-factors.ts";
import { sendNews } from "./person-event.ts";
import { lockSignedIn } from "./lock-person.ts";
import { passkeyView } from "./passkey-view.ts";
import { wrongFactor } from "./wrong-factor.ts";

/** What a browser needs to make a passkey for the caller. */
export async function offerNewPasskey({
  actor,
  db,
  now,
}: Context<"user">): Promise<Given<typeof securityApi.newPasskeyOptions>> {
  const { userId } = actor;
  if (!arePasskeysPossible())
    throw new Failure("conflict", "Passkeys need a host name. This installation is reached at an IP address.");
  const user = await db.user.findUniqueOrThrow({ where: { id: userId }, include: { passkeys: true } });
  refuseTooMany(user.passkeys.length);
  const { id, email, firstName, lastName, tokenVersion, passkeys } = user;
  const options = await newPasskeyOptions({ id, email, name: `${firstName} ${lastName}` }, passkeys);
  const question = { userId, tokenVersion, kind: "ENROL", challenge: options.challenge } as const;
  return { ...(await db.$transaction((tx) => askChallenge(tx, question, now()))), options };
}

/** Adds the passkey that the browser made for this challenge and this person. */
export async function addPasskey(
  context: Context<"user">,
  { ticket, name, passkey: answer }: Received<typeof securityApi.addPasskey>,
): Promise<Given<typeof securityApi.addPasskey>> {
  const { userId } = context.actor;
  const at = context.now();
  const asked = await takeAnswer(context.db, ticket, "ENROL", at);
  if (asked?.userId !== userId || asked.challenge === null)
    throw new Failure("conflict", "This step has expired. Please start again.");
  const made = await readNewPasskey(answer, asked.challenge);
  if (!made) throw wrongFactor({});
  const { id: challengeId } = asked;
  const added = await inTransaction(context, async (tx) => {
    await lockSignedIn(context, tx);
    await endChallenge(tx, challengeId, at);
    refuseTooMany(await tx.passkey.count({ where: { userId } }));
    const row = await store(tx, {
      ...made,
      publicKey: Uint8Array.from(made.publicKey),
      userId,
      name,
      createdAt: at,
    });
    const what = `The passkey “${name}”`;
    return {
      passkey: passkeyView(row),
      recoveryCodes: await afterAdding(context, tx, { userId, what, kind: "passkey", at }),
    };
  });
  await sendNews(context);
  return added;
}

async function store(tx: Tx, data: Parameters<Tx["passkey"]["create"]>[0]["data"]) {
  try {
    return await tx.passkey.create({ data });
  } catch (error) {
    if (isUniqueViolation(error)) throw new Failure("conflict", "This passkey is registered already.");
    throw error;
  }
}

function refuseTooMany(count: number): void {
  if (count < SECURITY_BOUNDS.passkeys) return;
  throw new Failure(
    "conflict",
    `You have ${SECURITY_BOUNDS.passkeys} passkeys, which is the maximum. Remove one first.`,
  );
}
