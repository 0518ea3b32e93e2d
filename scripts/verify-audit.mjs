// Verifies an exported audit chain offline, with nothing but Node and the audit key:
//   AUDIT_KEY=… node verify-audit.mjs audit-1-1000.ndjson.gz
// Ends with 0 when every event is as it was written, 1 when one is not, 2 when that cannot be told.
import { createHmac } from "node:crypto";
import { createReadStream, openSync, readSync, closeSync } from "node:fs";
import { createInterface } from "node:readline";
import { createGunzip } from "node:zlib";

const USE = "Use: AUDIT_KEY=… node verify-audit.mjs FILE.ndjson[.gz]";
const CHAIN_START = "0".repeat(64);

class Broken extends Error {}

/** JSON with sorted names and without blanks, as it was hashed. */
function canonicalJson(value) {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, item]) => `${JSON.stringify(name)}:${canonicalJson(item)}`).join(",")}}`;
}

const keyed = (key, text) => createHmac("sha256", key).update(text).digest("hex");

function eventHash(key, previous, event) {
  const { seq, at, eventType, actorKind, actorUserId, subjectUserId, ipAddress, requestId, data, personal } = event;
  const proven = { seq, at, eventType, actorKind, actorUserId, subjectUserId, ipAddress, requestId, data };
  return keyed(key, `event|${previous}|${canonicalJson({ ...proven, personal: personal ?? undefined })}`);
}

function isZipped(file) {
  const opened = openSync(file, "r");
  const start = Buffer.alloc(2);
  readSync(opened, start, 0, 2, 0);
  closeSync(opened);
  return start[0] === 0x1f && start[1] === 0x8b;
}

async function* linesOf(file) {
  const read = createReadStream(file);
  const plain = isZipped(file) ? read.pipe(createGunzip()) : read;
  let failure = null;
  for (const stream of new Set([read, plain])) stream.on("error", (error) => (failure = error));
  for await (const line of createInterface({ input: plain, crlfDelay: Infinity })) if (line !== "") yield line;
  if (failure !== null) throw new Broken(`the file ends in the middle: ${failure.message}`);
}

function parsed(line, number) {
  try {
    const value = JSON.parse(line);
    if (value !== null && typeof value === "object") return value;
  } catch {
    // told below
  }
  throw new Broken(`line ${number} is not readable`);
}

function checkHead(head) {
  if (head.kind !== "head" || head.format !== 1 || !/^\d+$/.test(head.from) || !/^\d+$/.test(head.to))
    throw new Broken("the file does not begin with the head of an export");
  if (head.from === "1" && head.previous !== CHAIN_START) throw new Broken("the chain does not begin at its start");
}

function checkEvent(key, event, expected, previous) {
  if (event.kind !== "event") throw new Broken(`event ${expected} is missing`);
  if (event.seq !== expected.toString())
    throw new Broken(`event ${expected} is missing or in another place: event ${event.seq} stands there`);
  if (event.prevHash !== previous) throw new Broken(`event ${expected} does not follow from the one before it`);
  if (key !== null && event.hash !== eventHash(key, previous, event))
    throw new Broken(`event ${expected} is not as it was written`);
}

/** Reads the export line by line; what it holds is never in memory at once. */
async function verify(file, key) {
  let [head, end, number] = [null, null, 0];
  let [expected, previous] = [0n, ""];
  for await (const line of linesOf(file)) {
    number += 1;
    const value = parsed(line, number);
    if (head === null) {
      checkHead(value);
      head = value;
      [expected, previous] = [BigInt(head.from), head.previous];
    } else if (end !== null) throw new Broken("there is more behind the end of the export");
    else if (value.kind === "end") end = value;
    else {
      checkEvent(key, value, expected, previous);
      [expected, previous] = [expected + 1n, value.hash];
    }
  }
  if (head === null) throw new Broken("the file is empty");
  if (end === null) throw new Broken(`event ${expected} and all after it are cut off`);
  if (expected !== BigInt(head.to) + 1n) throw new Broken(`event ${expected} and all after it are cut off`);
  if (end.hash !== previous) throw new Broken("the end of the export is not that of its last event");
  const ends = `export|${head.from}|${head.to}|${head.previous}|${end.hash}|${head.madeAt}`;
  if (key !== null && end.proof !== keyed(key, ends))
    throw new Broken("the ends of the export are not as they were made");
  return { from: head.from, to: head.to, rows: Number(expected - BigInt(head.from)), madeAt: head.madeAt };
}

const [file] = process.argv.slice(2);
const key = process.env.AUDIT_KEY || null;
try {
  if (file === undefined) throw new Error(USE);
  const { from, to, rows, madeAt } = await verify(file, key);
  const what = `${rows} events (${from} to ${to}), exported ${madeAt}`;
  if (key !== null) console.log(`Whole: ${what}. Every event is as it was written.`);
  else {
    console.log(`Linked: ${what}. Without AUDIT_KEY an edited event cannot be told from a true one.`);
    process.exitCode = 2;
  }
} catch (error) {
  if (error instanceof Broken) {
    console.error(`Broken: ${error.message}.`);
    process.exitCode = 1;
  } else {
    console.error(error.message);
    process.exitCode = 2;
  }
}
