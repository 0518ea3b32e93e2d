import { db, type Tx } from "../db.ts";
import { CHAIN_START, eventHash, headProof } from "./chain.ts";

const CHUNK = 2_000;
const BEGIN_MS = Date.UTC(2026, 0, 5, 14, 30);

const userOf = (seq: bigint) => `0192f0a0-0000-7000-8000-${(seq % 1_000n).toString().padStart(12, "0")}`;

/** An event as long as those of an order: the chain's hash is taken over all of it. */
function eventOf(seq: bigint) {
  const n = Number(seq);
  return {
    seq,
    at: new Date(BEGIN_MS + n * 250),
    eventType: n % 3 === 0 ? "ORDER_SENT" : "SIGN_IN",
    actorKind: n % 2 === 0 ? "user" : "system",
    actorUserId: n % 2 === 0 ? userOf(seq) : null,
    subjectUserId: userOf(seq),
    ipAddress: null,
    requestId: `request-${n}`,
    data: {
      clientOrderId: `tw-${n}-entry`,
      symbol: "AAPL",
      side: "buy",
      quantity: "12.345678901",
      limitPrice: "187.23",
      by: "worker",
      gates: { passed: 28, reasons: ["daily_loss", "exposure", "per_name"] },
    },
    // As long as a sealed address: the chain is over what is stored, whether anybody can open it or not.
    personal: n % 2 === 0 ? JSON.stringify({ v: 1, iv: "A".repeat(16), ct: "B".repeat(40), tag: `C${n}` }) : null,
  };
}

/** The chain that `count` calls of recordAudit leave, written in chunks: for benchmarks and for tests across pages. */
export async function writeAuditChain(count: number): Promise<void> {
  let previous = CHAIN_START;
  for (let from = 1; from <= count; from += CHUNK) {
    const rows = [];
    for (let n = from; n < from + CHUNK && n <= count; n += 1) {
      const event = eventOf(BigInt(n));
      const hash = eventHash(previous, event);
      rows.push({ ...event, prevHash: previous, hash });
      previous = hash;
    }
    await db().auditEvent.createMany({ data: rows });
  }
  const seq = BigInt(count);
  const head = { seq, hash: previous, proof: headProof(seq, previous) };
  await db().auditHead.upsert({ where: { id: 1 }, create: head, update: head });
}

/** What an intruder with every database right can do. */
export async function bypassingTriggers(work: (tx: Tx) => Promise<unknown>): Promise<void> {
  await db().$transaction(async (tx) => {
    await tx.$executeRaw`set local session_replication_role = replica`;
    await work(tx);
  });
}
