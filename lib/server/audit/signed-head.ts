import { createPrivateKey, createPublicKey, hkdfSync, sign, verify, type KeyObject } from "node:crypto";
import * as z from "zod";
import { env } from "../env.ts";
import type { ExportEnds } from "./chain.ts";

/** The end of the chain at one time: the row's number and its hash, which covers all rows before it. */
export interface Head {
  seq: bigint;
  hash: string;
}

/** A head under the installation's signature (Ed25519), as a tree head of RFC 9162: what it says can be held against the chain forever. */
export interface SignedHead extends Head {
  at: Date;
  /** The public key, and the signature by its other half: base64url. */
  key: string;
  signature: string;
}

/** What stands before an Ed25519 seed in PKCS #8. */
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");
let keys: { from: string; own: KeyObject; key: string } | undefined;

/** The signing key follows from AUDIT_KEY, so that there is one secret to keep; the public key tells nothing of it. */
function signingKeys() {
  const from = env().AUDIT_KEY;
  if (keys?.from === from) return keys;
  const seed = Buffer.from(hkdfSync("sha256", from, "", "tradewind audit signatures 1", 32));
  const own = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: "der", type: "pkcs8" });
  keys = { from, own, key: createPublicKey(own).export({ format: "jwk" }).x ?? "" };
  return keys;
}

/** What a verifier is given once, by another way than the exports. */
export const publicAuditKey = () => signingKeys().key;

const signed = (text: string) => sign(null, Buffer.from(text), signingKeys().own).toString("base64url");

const headText = ({ seq, hash }: Head, at: Date) => `tradewind audit head 1\n${seq}\n${hash}\n${at.toISOString()}`;

export function signHead(head: Head, at: Date): SignedHead {
  return { ...head, at, key: publicAuditKey(), signature: signed(headText(head, at)) };
}

/** Signed by this installation, and not changed since. */
export function isOurHead(head: SignedHead): boolean {
  if (head.key !== publicAuditKey()) return false;
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: head.key }, format: "jwk" });
  return verify(null, Buffer.from(headText(head, head.at)), key, Buffer.from(head.signature, "base64url"));
}

export interface ExportStatement extends ExportEnds {
  /** Events that the chain had when the export was made. */
  length: bigint;
  /** SHA-256 of all lines before the last. */
  digest: string;
  /** Every exported event was as it was written when it was read for the export. */
  isWhole: boolean;
}

export function signExport({ from, to, previous, hash, madeAt, length, digest, isWhole }: ExportStatement) {
  const text = ["tradewind audit export 1", from, to, previous, hash, madeAt, length, digest, isWhole].join("\n");
  return { key: publicAuditKey(), signature: signed(text) };
}

const line = z.object({
  kind: z.literal("audit-head"),
  format: z.literal(1),
  seq: z
    .string()
    .regex(/^\d{1,18}$/)
    .transform(BigInt),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  at: z.iso.datetime().transform((text) => new Date(text)),
  key: z.string(),
  signature: z.string(),
});

/** One line of the anchor file. scripts/verify-audit.mjs reads the same. */
export function headLine({ seq, hash, at, key, signature }: SignedHead): string {
  return JSON.stringify({ kind: "audit-head", format: 1, seq: seq.toString(), hash, at, key, signature });
}

/** Null for what is no head that this installation signed. */
export function headOfLine(text: string): SignedHead | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const { data } = line.safeParse(value);
  if (data === undefined) return null;
  const { kind: _kind, format: _format, ...head } = data;
  return isOurHead(head) ? head : null;
}
