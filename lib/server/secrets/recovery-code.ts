import { createHash, randomBytes } from "node:crypto";

/** 32 letters and digits that are not mistaken for each other: each stands for five bits. */
const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const LENGTH = 16;

/** 80 random bits, written "ABCD-EFGH-JKLM-NPQR". */
export function newRecoveryCode(): string {
  const letters = [...randomBytes(LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join("");
  return (letters.match(/.{4}/g) ?? []).join("-");
}

/** Of the code without dashes, bound to its owner. No code can be guessed, so that a plain hash is enough. */
export function recoveryCodeHash(code: string, userId: string): string {
  return createHash("sha256")
    .update(`recovery|${userId}|${code.replaceAll("-", "")}`)
    .digest("hex");
}
