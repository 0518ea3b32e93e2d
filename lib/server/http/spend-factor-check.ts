import { createHash } from "node:crypto";
import type { Endpoint, Received } from "@/lib/contracts/endpoint.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { HOUR_MS } from "@/lib/domain/time.ts";
import type { Context } from "../context.ts";
import { counterOf } from "../limits/limit-counter.ts";
import { takePoint, type TakenPoint } from "../limits/rate-limit.ts";

export interface FactorCheck<E extends Endpoint> {
  /** Whose code the call guesses; null where nothing can be guessed (passkeys, recovery codes) or another budget counts (passwords). */
  personOf: (context: Context<E["access"]>, input: Received<E>) => Promise<string | null>;
  /** Whether a failure of the service was a wrong guess; what was none costs nothing. */
  isGuess: (failure: unknown) => boolean;
  /** Called when a person's checks are used up, once an hour. */
  onUsedUp: (context: Context<E["access"]>, userId: string) => Promise<unknown>;
}

/**
 * One guess at a person's code by a caller who has their token or password already, from any address. What
 * cannot be guessed is not counted, so that the owner gets in with a passkey or a recovery code whatever others try.
 */
export async function spendFactorCheck<E extends Endpoint>(
  { personOf, onUsedUp }: FactorCheck<E>,
  context: Context<E["access"]>,
  input: Received<E>,
): Promise<TakenPoint[]> {
  const userId = await personOf(context, input);
  if (userId === null) return [];
  const bucket = createHash("sha256").update(userId).digest("base64url");
  try {
    return [await takePoint("factor-failed", bucket)];
  } catch (refusal) {
    if (!(refusal instanceof Failure && refusal.code === "too_many_requests")) throw refusal;
    const notices = await counterOf("factor-told").take(bucket, 1, HOUR_MS);
    if (!notices.isFull)
      await onUsedUp(context, userId).catch((error: unknown) =>
        context.log.error("password-guessing-alert.failed", { err: error }),
      );
    throw refusal;
  }
}
