import { randomBytes } from "node:crypto";
import * as z from "zod";
import { ACCESS_TEXT } from "@/lib/domain/account-access.ts";
import type { AccountAccessName, AccountEnvironment } from "@/lib/domain/enums.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { BrokerKeys } from "../context.ts";
import { decrypt, encrypt, parseCanonical, partIn, unwrapKey, wrapKey, wrappedKeyIn } from "./envelope.ts";

/** What sealed keys belong to: the same text in another row, or for another environment, does not open. */
export interface KeyBinding {
  userId: string;
  accountId: string;
  environment: AccountEnvironment;
}

const envelope = z.strictObject({ ...wrappedKeyIn.shape, keys: partIn });
/** A pair of keys, or an access token; rows from before tokens hold pairs. */
const contents = z.union([
  z.strictObject({ keyId: z.string(), secret: z.string() }),
  z.strictObject({ accessToken: z.string() }),
]);

/**
 * Seals what opens an account for one row: a key of the row's own (AES-256-GCM) holds them, and the newest master
 * key holds the row's key, so that master keys can be exchanged without touching the contents.
 */
export function sealKeys(keys: BrokerKeys, binding: KeyBinding): string {
  const rowKey = randomBytes(32);
  const plain = Buffer.from(JSON.stringify(contentsOf(keys)), "utf8");
  const sealed = JSON.stringify({
    ...wrapKey(rowKey, binding.accountId),
    keys: encrypt(rowKey, plain, contentBinding(binding)),
  });
  for (const secret of [rowKey, plain]) secret.fill(0);
  return sealed;
}

/**
 * Opens what was sealed. Throws `conflict` when anything was changed, belongs elsewhere, or its master key is gone;
 * `access`: what the account's owner reads of it then.
 */
export function openKeys(sealed: string, binding: KeyBinding, access: AccountAccessName = "KEYS"): BrokerKeys {
  try {
    const parsed = parseCanonical(envelope, sealed);
    const rowKey = unwrapKey(parsed, binding.accountId);
    const plain = decrypt(rowKey, parsed.keys, contentBinding(binding));
    const keys = contents.parse(JSON.parse(plain.toString("utf8")));
    for (const secret of [rowKey, plain]) secret.fill(0);
    return keys;
  } catch (cause) {
    throw new Failure("conflict", ACCESS_TEXT[access].cannotOpen, { cause });
  }
}

/** Whether sealed keys open for this row. */
export function doKeysOpen(sealed: string, binding: KeyBinding): boolean {
  try {
    openKeys(sealed, binding);
    return true;
  } catch {
    return false;
  }
}

/** The same keys with the row's key under the newest master key; the keys themselves stay closed. Throws where the text does not open. */
export function resealKeys(sealed: string, accountId: string): string {
  const { keys, ...wrapped } = parseCanonical(envelope, sealed);
  const rowKey = unwrapKey(wrapped, accountId);
  const resealed = JSON.stringify({ ...wrapKey(rowKey, accountId), keys });
  rowKey.fill(0);
  return resealed;
}

/** Exactly what is needed, whatever else the object holds. */
const contentsOf = (keys: BrokerKeys): BrokerKeys =>
  "accessToken" in keys ? { accessToken: keys.accessToken } : { keyId: keys.keyId, secret: keys.secret };

const contentBinding = ({ userId, accountId, environment }: KeyBinding) => `v1|${userId}|${accountId}|${environment}`;
