import { timingSafeEqual } from "node:crypto";
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

/** With `like`, under the salt of that hash: the two are equal where both are of one password. */
export function hashPassword(password: string, caller: Caller = {}, like?: string): Promise<string> {
  const salt = like === undefined ? null : saltOf(like);
  const options = salt === null ? COST : { ...COST, salt: Buffer.from(salt, "base64") };
  return inTurn(caller, () => hash(password.normalize("NFKC"), options));
}

export function isPassword(password: string, stored: string, caller: Caller = {}): Promise<boolean> {
  return inTurn(caller, () => verify(stored, password.normalize("NFKC")));
}

/** Of which of the stored hashes the password is. Those that share a salt take one computation, so that the work does not tell how many there are. */
export async function whichPasswords(
  password: string,
  stored: readonly string[],
  caller: Caller = {},
): Promise<boolean[]> {
  const [first] = stored;
  if (first !== undefined && stored.every((other) => haveOneSalt(first, other))) {
    const given = await hashPassword(password, caller, first);
    return stored.map((other) => isEqual(given, other));
  }
  const found: boolean[] = [];
  for (const other of stored) found.push(await isPassword(password, other, caller));
  return found;
}

/** The same for a password whose hash was made like the stored one; checked anew where that has another salt by now. */
export async function isOfStored({ password, passwordHash }: GivenPassword, stored: string): Promise<boolean> {
  return haveOneSalt(passwordHash, stored) ? isEqual(passwordHash, stored) : isPassword(password, stored);
}

export interface GivenPassword {
  password: string;
  passwordHash: string;
}

const OF_OUR_COST = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$([\w+/]+)\$/;
const saltOf = (stored: string) => OF_OUR_COST.exec(stored)?.[1] ?? null;
const haveOneSalt = (one: string, other: string) => saltOf(one) !== null && saltOf(one) === saltOf(other);
const isEqual = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

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
