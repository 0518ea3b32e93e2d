import { randomBytes } from "node:crypto";
import * as z from "zod";
import { decrypt, encrypt, parseCanonical, partIn, unwrapKey, wrapKey, wrappedKeyIn } from "./envelope.ts";

const envelope = z.strictObject({ ...wrappedKeyIn.shape, secret: partIn });

/** What a sealed text is for, and whose: it opens for no other use and no other user. */
export interface TextOwner {
  purpose: "totp" | "webhook";
  userId: string;
}

const ownerOf = ({ purpose, userId }: TextOwner) => `${purpose}|${userId}`;
const bindingOf = ({ purpose, userId }: TextOwner) => `${purpose}|v1|${userId}`;

/** Seals a secret of a person's, as broker keys are sealed. */
export function sealText(text: string, owner: TextOwner): string {
  const rowKey = randomBytes(32);
  const plain = Buffer.from(text, "utf8");
  const sealed = JSON.stringify({
    ...wrapKey(rowKey, ownerOf(owner)),
    secret: encrypt(rowKey, plain, bindingOf(owner)),
  });
  for (const bytes of [rowKey, plain]) bytes.fill(0);
  return sealed;
}

/** Throws when the text was changed, is someone else's, or its master key is gone. */
export function openText(sealed: string, owner: TextOwner): string {
  const { secret, ...wrapped } = parseCanonical(envelope, sealed);
  const rowKey = unwrapKey(wrapped, ownerOf(owner));
  const plain = decrypt(rowKey, secret, bindingOf(owner));
  const opened = plain.toString("utf8");
  for (const bytes of [rowKey, plain]) bytes.fill(0);
  return opened;
}

/** The same secret with the row's key under the newest master key. Throws where the text does not open. */
export function resealText(sealed: string, owner: TextOwner): string {
  const { secret, ...wrapped } = parseCanonical(envelope, sealed);
  const rowKey = unwrapKey(wrapped, ownerOf(owner));
  const resealed = JSON.stringify({ ...wrapKey(rowKey, ownerOf(owner)), secret });
  rowKey.fill(0);
  return resealed;
}
