import { createHmac } from "node:crypto";
import { byText } from "@/lib/domain/text-order.ts";
import { env } from "../env.ts";

/** The row before the first. */
export const CHAIN_START = "0".repeat(64);

/** Rows of the chain are taken one after the other, under this transaction lock. */
export const AUDIT_LOCK = 720_261_121n;

export interface ChainedEvent {
  seq: bigint;
  at: Date;
  eventType: string;
  actorKind: string;
  actorUserId: string | null;
  subjectUserId: string | null;
  ipAddress: string | null;
  requestId: string | null;
  data: unknown;
  /** Sealed; absent in rows without anything personal, which hash as they did before there was such a thing. */
  personal?: string | null;
}

/** HMAC-SHA-256 over the row before and this row's canonical JSON, hex. */
export function eventHash(previous: string, event: ChainedEvent): string {
  const { seq, at, eventType, actorKind, actorUserId, subjectUserId, ipAddress, requestId, data, personal } = event;
  const proven = {
    seq: seq.toString(),
    at: at.toISOString(),
    eventType,
    actorKind,
    actorUserId,
    subjectUserId,
    ipAddress,
    requestId,
    data,
    personal: personal ?? undefined,
  };
  return keyed(`event|${previous}|${canonicalJson(proven)}`);
}

/** True of a row as it was written behind the row with this hash. */
export const follows = (previous: string, row: ChainedEvent & { prevHash: string; hash: string }): boolean =>
  row.prevHash === previous && row.hash === eventHash(previous, row);

/** Proves that the remembered end was written by us. */
export function headProof(seq: bigint, hash: string): string {
  return keyed(`head|${seq}|${hash}`);
}

export interface ExportEnds {
  from: bigint;
  to: bigint;
  /** The hash before the first exported row, and that of the last. */
  previous: string;
  hash: string;
  madeAt: string;
}

/** Proves where an export begins and ends: rows cut off its ends are missed. */
export function exportProof({ from, to, previous, hash, madeAt }: ExportEnds): string {
  return keyed(`export|${from}|${to}|${previous}|${hash}|${madeAt}`);
}

/** Proves that a line of the list of erasures was written by us. */
export function erasureProof(userId: string, at: Date): string {
  return keyed(`erasure|${userId}|${at.toISOString()}`);
}

/** Proves that a removed account's line of that list was written by us. */
export function removalProof(accountId: string, at: Date): string {
  return keyed(`removal|${accountId}|${at.toISOString()}`);
}

function keyed(text: string): string {
  return createHmac("sha256", env().AUDIT_KEY).update(text).digest("hex");
}

/** JSON with sorted names and without blanks: one value, one text. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  entries.sort(([a], [b]) => byText(a, b));
  return `{${entries.map(([name, item]) => `${JSON.stringify(name)}:${canonicalJson(item)}`).join(",")}}`;
}
