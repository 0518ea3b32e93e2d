import { hash, verify } from "@node-rs/argon2";
import { createHashQueue } from "./hash-queue.ts";

/** Argon2id, 19 MiB, two passes, one lane: OWASP's first recommendation. The library's default algorithm is argon2id. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const HASHES_AT_ONCE = 2;
/** Whose hash it is. */
interface Caller {
  /** The owner of an account, known by the mark of the device, a mailed link or the right password. */
  isOwnDevice?: boolean;
  /** `accountKey` of the account: those of one account share its turns. */
  account?: string;
}

let running = 0;
const queue = createHashQueue();

export function hashPassword(password: string, caller: Caller = {}): Promise<string> {
  return inTurn(caller, () => hash(password.normalize("NFKC"), COST));
}

export function isPassword(password: string, stored: string, caller: Caller = {}): Promise<boolean> {
  return inTurn(caller, () => verify(stored, password.normalize("NFKC")));
}

/** A hash of 256 random bits that were kept nowhere, with the same cost as all others: no password is right. */
export const DUMMY_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$3tpjD9WCcVUQlDyFCBe+MQ$qaJ8EM3mFbEEwOEkMFLYBsaSGzRO1ZmDKD9KMutV4H8";

/** The work of a check for a user who does not exist, so that the answer takes as long as a wrong password. */
export async function checkDummyPassword(password: string): Promise<false> {
  await isPassword(password, DUMMY_HASH);
  return false;
}

/** A hash costs 19 MiB and a core: two run at once, twenty of each kind wait, and the rest is refused with Retry-After. */
async function inTurn<T>({ isOwnDevice = false, account = "" }: Caller, work: () => Promise<T>): Promise<T> {
  // A finishing hash hands its slot to the next in line, so the order is kept.
  if (running >= HASHES_AT_ONCE) await queue.wait(isOwnDevice ? account : null);
  else running += 1;
  try {
    return await work();
  } finally {
    const next = queue.next();
    if (next) next();
    else running -= 1;
  }
}
