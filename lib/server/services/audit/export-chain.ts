import { createHash } from "node:crypto";
import { Gzip, strToU8 } from "fflate";
import { AUDIT_BOUNDS, type auditApi } from "@/lib/contracts/audit.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { streamOf } from "../../archive.ts";
import { CHAIN_START, exportProof, follows } from "../../audit/chain.ts";
import { readChain } from "../../audit/read-chain.ts";
import { callFacts, recordAudit } from "../../audit/record-audit.ts";
import { signExport } from "../../audit/signed-head.ts";
import type { Context } from "../../context.ts";
import type { Db } from "../../db.ts";
import { inTransaction } from "../../core/transaction.ts";
import { holdExport, type HeldExport } from "../../core/hold-export.ts";

interface Range {
  from: bigint;
  to: bigint;
  /** Events of the whole chain. */
  length: bigint;
}

/**
 * The chain, or a part of it, one JSON object a line: a head, the events as they are hashed, an end with its proof and signature.
 * scripts/verify-audit.mjs verifies it with the audit key, or with the public key alone. Personal details stay encrypted.
 */
export async function exportChain(
  context: Context<"admin">,
  input: Received<typeof auditApi.export>,
): Promise<Given<typeof auditApi.export>> {
  const { actor, db, now, request } = context;
  const { userId } = actor;
  const range = await rangeOf(db, input);
  const held = await holdExport(context, userId);
  const madeAt = now();
  const { from, to } = range;
  try {
    await inTransaction(context, (tx) =>
      recordAudit(tx, {
        at: madeAt,
        eventType: "AUDIT_EXPORTED",
        ...callFacts({ actor, request }),
        data: { from: Number(from), to: Number(to) },
      }),
    );
  } catch (error) {
    await held.release();
    throw error;
  }
  return {
    fileName: `audit-${from}-${to}.ndjson.gz`,
    body: streamOf(zipped(linesOf(db, range, madeAt.toISOString(), held)), held.release),
  };
}

async function rangeOf(db: Db, { from = 1, to }: Received<typeof auditApi.export>): Promise<Range> {
  const last = await db.auditEvent.findFirst({ orderBy: { seq: "desc" }, select: { seq: true } });
  const length = Number(last?.seq ?? 0n);
  const end = to ?? length;
  if (from > length) refuse("from", `The audit trail has ${length} events.`);
  if (end < from) refuse("to", "The last event must not lie before the first.");
  if (end > length) refuse("to", `The audit trail has ${length} events.`);
  if (end - from >= AUDIT_BOUNDS.exported)
    refuse("to", `An export holds ${AUDIT_BOUNDS.exported} events at most: choose a part of the trail.`);
  return { from: BigInt(from), to: BigInt(end), length: BigInt(length) };
}

function refuse(path: string, message: string): never {
  throw new Failure("invalid_input", message, { issues: [{ path, message }] });
}

async function* linesOf(db: Db, range: Range, madeAt: string, held: HeldExport): AsyncGenerator<string> {
  const { from, to, length } = range;
  const digest = createHash("sha256");
  const said = (text: string) => (digest.update(text), text);
  const before = from === 1n ? null : await db.auditEvent.findUnique({ where: { seq: from - 1n } });
  const previous = before?.hash ?? CHAIN_START;
  const [first, last, all] = [from, to, length].map(String);
  const head = { product: "Tradewind", format: 1, from: first, to: last, length: all, previous, madeAt };
  yield said(`${JSON.stringify({ kind: "head", ...head })}\n`);
  let [next, rows, hash, isWhole] = [from, 0, previous, true];
  for await (const page of readChain(db, from, to)) {
    await held.beat();
    const end = page.at(-1);
    if (end === undefined) break;
    for (const row of page) {
      isWhole &&= row.seq === from + BigInt(rows) && follows(hash, row);
      [rows, hash] = [rows + 1, row.hash];
    }
    const texts = page.map(({ seq, ...row }) => `${JSON.stringify({ kind: "event", seq: seq.toString(), ...row })}\n`);
    yield said(texts.join(""));
    next = end.seq + 1n;
  }
  const ends = { from, to, previous, hash, madeAt };
  isWhole &&= next > to;
  const statement = { length, digest: digest.digest("hex"), isWhole };
  const proven = { proof: exportProof(ends), ...signExport({ ...ends, ...statement }) };
  yield `${JSON.stringify({ kind: "end", rows, hash, isWhole, ...proven })}\n`;
}

async function* zipped(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let packed: Uint8Array[] = [];
  const zip = new Gzip({ level: 6 }, (piece) => packed.push(piece));
  const take = () => {
    const pieces = packed;
    packed = [];
    return pieces;
  };
  for await (const line of lines) {
    zip.push(strToU8(line));
    yield* take();
  }
  zip.push(new Uint8Array(0), true);
  yield* take();
}
