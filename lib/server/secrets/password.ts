import { hash, verify } from "@node-rs/argon2";
import { Failure } from "@/lib/domain/failures.ts";

/** Argon2id, 19 MiB, two passes, one lane: OWASP's first recommendation. The library's default algorithm is argon2id. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const HASHES_AT_ONCE = 2;
const WAITING_MAX = 20;

let running = 0;
/**
 * Those of owners (`isOwnDevice`: known by the mark of the device, a mailed link or the right password) go first and have seats of their
 * own: a crowd of strangers gets none of them refused.
 */
const waiting = { own: [] as (() => void)[], others: [] as (() => void)[] };

export function hashPassword(password: string, { isOwnDevice = false } = {}): Promise<string> {
  return inTurn(isOwnDevice ? "own" : "others", () => hash(password.normalize("NFKC"), COST));
}

export function isPassword(password: string, stored: string, { isOwnDevice = false } = {}): Promise<boolean> {
  return inTurn(isOwnDevice ? "own" : "others", () => verify(stored, password.normalize("NFKC")));
}

/** A hash of an unknown password, with the same cost as all others. */
export const DUMMY_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$zc3ya5dVL4hSnPOIemt93g$XsNPoJDs6Uo8pI3oTg1FX9jiHRaHjRb7YGUf9feoxAA";

/** The work of a check for a user who does not exist, so that the answer takes as long as a wrong password. */
export async function checkDummyPassword(password: string): Promise<false> {
  await isPassword(password, DUMMY_HASH);
  return false;
}

/** A hash costs 19 MiB and a core: two run at once, twenty of each kind wait, and the rest is refused with Retry-After. */
async function inTurn<T>(kind: keyof typeof waiting, work: () => Promise<T>): Promise<T> {
  if (running >= HASHES_AT_ONCE) {
    if (waiting[kind].length >= WAITING_MAX) {
      throw new Failure("unavailable", "Too many people are signing in right now. Please try again in a moment.", {
        retryAfterMs: 2_000,
      });
    }
    // A finishing hash hands its slot to the next in line, so the order is kept.
    await new Promise<void>((resolve) => waiting[kind].push(resolve));
  } else {
    running += 1;
  }
  try {
    return await work();
  } finally {
    const next = waiting.own.shift() ?? waiting.others.shift();
    if (next) next();
    else running -= 1;
  }
}
