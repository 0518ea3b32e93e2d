import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import * as z from "zod";
import { env } from "../env.ts";

/** What AES-256-GCM makes of a text: its 96-bit random IV, the ciphertext and the tag. */
export const partIn = z.strictObject({ iv: z.base64(), ct: z.base64(), tag: z.base64() });
export type Part = z.output<typeof partIn>;

/** A row's own key under the master key of the version `kek`. */
export const wrappedKeyIn = z.object({ v: z.literal(1), kek: z.number().int().positive(), dek: partIn });
type WrappedKey = z.output<typeof wrappedKeyIn>;

export function encrypt(key: Buffer, plain: Buffer, binding: string): Part {
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(binding, "utf8"));
  const ct = Buffer.concat([cipher.update(plain), cipher.final()]);
  return { iv: iv.toString("base64"), ct: ct.toString("base64"), tag: cipher.getAuthTag().toString("base64") };
}

/** Throws when anything was changed or belongs elsewhere. */
export function decrypt(key: Buffer, { iv, ct, tag }: Part, binding: string): Buffer {
  const decipher = createDecipheriv("aes-256-gcm", key, exactBytes(iv, 12), { authTagLength: 16 });
  decipher.setAAD(Buffer.from(binding, "utf8")).setAuthTag(exactBytes(tag, 16));
  return Buffer.concat([decipher.update(exactBytes(ct)), decipher.final()]);
}

/** Puts a row's key under the newest master key; `owner` names the row, and the key opens for no other. */
export function wrapKey(rowKey: Buffer, owner: string): WrappedKey {
  const [newest] = masterKeys();
  if (!newest) throw new Error("no master key");
  const dek = encrypt(newest.key, rowKey, keyBinding(newest.version, owner));
  newest.key.fill(0);
  return { v: 1, kek: newest.version, dek };
}

export function unwrapKey({ kek, dek }: WrappedKey, owner: string): Buffer {
  const master = masterKeys().find(({ version }) => version === kek);
  if (!master) throw new Error(`master key ${kek} is not here`);
  try {
    return decrypt(master.key, dek, keyBinding(kek, owner));
  } finally {
    master.key.fill(0);
  }
}

/** One value has one text: a changed byte that would parse to the same value is refused too. */
export function parseCanonical<S extends z.ZodType>(schema: S, text: string): z.output<S> {
  const parsed = schema.parse(JSON.parse(text));
  if (JSON.stringify(parsed) !== text) throw new Error("not in canonical form");
  return parsed;
}

/** The version that seals now: the first of MASTER_KEYS. */
export function newestMasterKeyVersion(): number {
  const [newest] = masterKeys();
  if (!newest) throw new Error("no master key");
  return newest.version;
}

const keyBinding = (version: number, owner: string) => `kek|${version}|${owner}`;

/** Base64 has several texts for the same bytes; only the canonical one is taken. */
function exactBytes(text: string, length?: number): Buffer {
  const bytes = Buffer.from(text, "base64");
  if (bytes.toString("base64") !== text || (length !== undefined && bytes.length !== length))
    throw new Error("not canonical base64");
  return bytes;
}

function masterKeys(): { version: number; key: Buffer }[] {
  return env()
    .MASTER_KEYS.split(",")
    .map((entry) => {
      const [version = "", key = ""] = entry.split(":");
      return { version: Number(version), key: Buffer.from(key, "base64") };
    });
}
