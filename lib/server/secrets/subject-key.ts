import { randomBytes } from "node:crypto";
import * as z from "zod";
import { decrypt, encrypt, parseCanonical, partIn, unwrapKey, wrapKey, wrappedKeyIn } from "./envelope.ts";

/**
 * Each user has a key under which the personal parts of their audit events are sealed. Erasing
 * a user erases this key: the events stay as they are, and their personal parts can no longer be read.
 */
const sealedKeyIn = z.strictObject(wrappedKeyIn.shape);
const personalIn = z.strictObject({ v: z.literal(1), ...partIn.shape });

const ownerOf = (userId: string) => `subject|${userId}`;
const bindingOf = (userId: string, place: string) => `personal|v1|${userId}|${place}`;

/** A new key of a person, under the newest master key. */
export function newSubjectKey(userId: string): string {
  const key = randomBytes(32);
  const sealed = JSON.stringify(wrapKey(key, ownerOf(userId)));
  key.fill(0);
  return sealed;
}

/** The person's key itself. Throws where the text was changed, is another person's, or its master key is gone. */
export function openSubjectKey(sealedKey: string, userId: string): Buffer {
  return unwrapKey(parseCanonical(sealedKeyIn, sealedKey), ownerOf(userId));
}

/** The same key under the newest master key. */
export function resealSubjectKey(sealedKey: string, userId: string): string {
  const key = openSubjectKey(sealedKey, userId);
  const resealed = JSON.stringify(wrapKey(key, ownerOf(userId)));
  key.fill(0);
  return resealed;
}

/** Seals text under the person's key for one place, e.g. a row's number: it opens nowhere else. */
export function sealPersonal(key: Buffer, plain: string, userId: string, place: string): string {
  return JSON.stringify({ v: 1, ...encrypt(key, Buffer.from(plain, "utf8"), bindingOf(userId, place)) });
}

export function openPersonal(key: Buffer, sealed: string, userId: string, place: string): string {
  const { v: _, ...part } = parseCanonical(personalIn, sealed);
  return decrypt(key, part, bindingOf(userId, place)).toString("utf8");
}
