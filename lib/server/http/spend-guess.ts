import { createHash } from "node:crypto";
import type { Endpoint, Received } from "@/lib/contracts/endpoint.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { HOUR_MS } from "@/lib/domain/time.ts";
import type { Context } from "../context.ts";
import { bearsDeviceMark } from "./device-mark.ts";
import { counterOf } from "./limit-counter.ts";
import { takePoint, type TakenPoint } from "./rate-limit.ts";

export interface Guessing<E extends Endpoint> {
  /** The account whose password the call guesses: an email address, known or not. */
  accountOf: (input: Received<E>) => string;
  /** Whether the owner signed in from the caller's network lately. */
  isOwnersNetwork: (context: Context, input: Received<E>) => Promise<boolean>;
  /** Called when unknown devices have used up the guesses. */
  onUsedUp: (context: Context, input: Received<E>) => Promise<unknown>;
}

/**
 * One guess at an account, from any address: unknown devices share a daily budget of failures; when it is used up, the
 * owner's own devices and networks still have theirs. This stops guessing from many addresses without letting an
 * attacker lock the owner out.
 */
export async function spendGuess<E extends Endpoint>(
  { accountOf, isOwnersNetwork, onUsedUp }: Guessing<E>,
  context: Context,
  input: Received<E>,
  headers: Headers,
): Promise<TakenPoint> {
  const account = accountOf(input);
  const bucket = createHash("sha256").update(account).digest("base64url");
  try {
    return await takePoint("account-failed", bucket);
  } catch (refusal) {
    if (!(refusal instanceof Failure && refusal.code === "too_many_requests")) throw refusal;
    await tellOwner(bucket, () => onUsedUp(context, input), context);
    const isOwners = bearsDeviceMark(headers, account, context.now()) || (await isOwnersNetwork(context, input));
    if (!isOwners) throw refusal;
    return takePoint("owner-failed", bucket);
  }
}

/** At most once an hour, so that each further guess stays cheap. */
async function tellOwner(bucket: string, tell: () => Promise<unknown>, { log }: Context): Promise<void> {
  if ((await counterOf("guessing-told").take(bucket, 1, HOUR_MS)).isFull) return;
  try {
    await tell();
  } catch (error) {
    log.error("guess-alert.failed", { err: error });
  }
}
