import { randomBytes } from "node:crypto";
import * as z from "zod";
import { Failure } from "@/lib/domain/failures.ts";
import { decrypt, encrypt, parseCanonical, partIn, unwrapKey, wrapKey, wrappedKeyIn } from "./envelope.ts";

const envelope = z.strictObject({ ...wrappedKeyIn.shape, secret: partIn });

const ownerOf = (userId: string) => `totp|${userId}`;
const bindingOf = (userId: string) => `totp|v1|${userId}`;

/** Seals the secret of an authenticator app for one user, as broker keys are sealed: the text opens for no other. */
export function sealTotp(secret: string, userId: string): string {
  const rowKey = randomBytes(32);
  const plain = Buffer.from(secret, "utf8");
  const sealed = JSON.stringify({
    ...wrapKey(rowKey, ownerOf(userId)),
    secret: encrypt(rowKey, plain, bindingOf(userId)),
  });
  for (const bytes of [rowKey, plain]) bytes.fill(0);
  return sealed;
}

/** Throws `conflict` when the text was changed, is another user's, or its master key is gone. */
export function openTotp(sealed: string, userId: string): string {
  try {
    const { secret, ...wrapped } = parseCanonical(envelope, sealed);
    const rowKey = unwrapKey(wrapped, ownerOf(userId));
    const plain = decrypt(rowKey, secret, bindingOf(userId));
    const opened = plain.toString("utf8");
    for (const bytes of [rowKey, plain]) bytes.fill(0);
    return opened;
  } catch (cause) {
    throw new Failure("conflict", "Codes cannot be checked right now. Use a recovery code or a passkey.", { cause });
  }
}

/** The same secret with the row's key under the newest master key. Throws where the text does not open. */
export function resealTotp(sealed: string, userId: string): string {
  const { secret, ...wrapped } = parseCanonical(envelope, sealed);
  const rowKey = unwrapKey(wrapped, ownerOf(userId));
  const resealed = JSON.stringify({ ...wrapKey(rowKey, ownerOf(userId)), secret });
  rowKey.fill(0);
  return resealed;
}
