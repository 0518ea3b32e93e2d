import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import * as z from "zod";
import { Failure } from "@/lib/domain/failures.ts";
import type { BrokerKeys } from "../context.ts";
import { env } from "../env.ts";

/** What sealed keys belong to: the same text in another row, or for another environment, does not open. */
export interface KeyBinding {
  userId: string;
  accountId: string;
  environment: "PAPER" | "LIVE";
}

const VERSION = 1;
const part = z.strictObject({ iv: z.base64(), ct: z.base64(), tag: z.base64() });
const envelope = z.strictObject({ v: z.literal(VERSION), kek: z.number().int().positive(), dek: part, keys: part });
const contents = z.strictObject({ keyId: z.string(), secret: z.string() });
type Part = z.output<typeof part>;

/**
 * Seals broker keys for one row: a key of the row's own (AES-256-GCM) holds them, and the newest master
 * key holds the row's key, so that master keys can be exchanged without touching the contents.
 */
export function sealKeys(keys: BrokerKeys, binding: KeyBinding): string {
  const master = newestMasterKey();
  const rowKey = randomBytes(32);
  const plain = Buffer.from(JSON.stringify({ keyId: keys.keyId, secret: keys.secret }), "utf8");
  const sealed = JSON.stringify({
    v: VERSION,
    kek: master.version,
    dek: encrypt(master.key, rowKey, rowKeyBinding(master.version, binding)),
    keys: encrypt(rowKey, plain, contentBinding(binding)),
  });
  for (const secret of [rowKey, plain, master.key]) secret.fill(0);
  return sealed;
}

/** Opens sealed keys. Throws `conflict` when anything was changed, belongs elsewhere, or its master key is gone. */
export function openKeys(sealed: string, binding: KeyBinding): BrokerKeys {
  try {
    const parsed = envelope.parse(JSON.parse(sealed));
    // One value has one text: a changed byte that would parse to the same envelope is refused too.
    if (JSON.stringify(parsed) !== sealed) throw new Error("not in canonical form");
    const master = masterKey(parsed.kek);
    const rowKey = decrypt(master, parsed.dek, rowKeyBinding(parsed.kek, binding));
    const plain = decrypt(rowKey, parsed.keys, contentBinding(binding));
    const keys = contents.parse(JSON.parse(plain.toString("utf8")));
    for (const secret of [rowKey, plain, master]) secret.fill(0);
    return keys;
  } catch (cause) {
    throw new Failure("conflict", "The stored keys of this account cannot be opened. Please add the account again.", {
      cause,
    });
  }
}

const contentBinding = ({ userId, accountId, environment }: KeyBinding) =>
  Buffer.from(`v${VERSION}|${userId}|${accountId}|${environment}`, "utf8");
const rowKeyBinding = (version: number, { accountId }: KeyBinding) =>
  Buffer.from(`kek|${version}|${accountId}`, "utf8");

function encrypt(key: Buffer, plain: Buffer, binding: Buffer): Part {
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(binding);
  const ct = Buffer.concat([cipher.update(plain), cipher.final()]);
  return { iv: iv.toString("base64"), ct: ct.toString("base64"), tag: cipher.getAuthTag().toString("base64") };
}

function decrypt(key: Buffer, { iv, ct, tag }: Part, binding: Buffer): Buffer {
  const decipher = createDecipheriv("aes-256-gcm", key, exactBytes(iv, 12), { authTagLength: 16 });
  decipher.setAAD(binding).setAuthTag(exactBytes(tag, 16));
  return Buffer.concat([decipher.update(exactBytes(ct)), decipher.final()]);
}

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

function newestMasterKey() {
  const [newest] = masterKeys();
  if (!newest) throw new Error("no master key");
  return newest;
}

function masterKey(version: number): Buffer {
  const found = masterKeys().find((entry) => entry.version === version);
  if (!found) throw new Error(`master key ${version} is not here`);
  return found.key;
}
