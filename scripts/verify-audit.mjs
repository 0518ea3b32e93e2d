// Verifies an exported audit chain offline, with nothing but Node and one of two keys:
//   AUDIT_KEY=… node verify-audit.mjs audit-1-1000.ndjson.gz [--heads audit-heads.ndjson]
//   node verify-audit.mjs audit-1-1000.ndjson.gz --key PUBLIC_KEY [--heads audit-heads.ndjson]
// With AUDIT_KEY every event is verified by itself. With the public key alone (npm run admin -- audit-key) it is verified that the file is as the
// installation signed it, that every event was as it was written when the export was made, by the installation's own word, and that
// the chain agrees with each signed head of the file given: no event before a head was removed, moved or replaced since that head was signed.
// Ends with 0 when all that holds, 1 when something does not, 2 when it cannot be told.
import { createHash, createHmac, createPrivateKey, createPublicKey, hkdfSync, verify as isSignedBy } from "node:crypto";
import { createReadStream, openSync, readFileSync, readSync, closeSync } from "node:fs";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { createGunzip } from "node:zlib";

const USE = "Use: AUDIT_KEY=… node verify-audit.mjs FILE.ndjson[.gz] [--key PUBLIC_KEY] [--heads HEADS.ndjson]";
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

/** What stands before an Ed25519 seed in PKCS #8. */
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");

/** The public key that belongs to an audit key. */
function publicKeyOf(auditKey) {
  const seed = Buffer.from(hkdfSync("sha256", auditKey, "", "tradewind audit signatures 1", 32));
  const own = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: "der", type: "pkcs8" });
  return createPublicKey(own).export({ format: "jwk" }).x;
}

function isSigned(key, text, signature) {
  try {
    const publicKey = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: key }, format: "jwk" });
    return isSignedBy(null, Buffer.from(text), publicKey, Buffer.from(signature, "base64url"));
  } catch {
    return false;
  }
}

/**
 * Signed heads, by the number of their event: each whole line of the file has to be one, under the key that is believed. A line that a
 * crash of the writer cut off is counted; who wanted to hide a head could as well leave its line out.
 */
function readHeads(file, key) {
  const heads = new Map();
  let cutOff = 0;
  const lines = readFileSync(file, "utf8").split("\n");
  for (const [index, line] of lines.entries()) {
    if (line === "") continue;
    const { isWhole, value } = jsonOf(line);
    if (!isWhole) {
      cutOff += 1;
      continue;
    }
    const { seq, hash, at, signature } = value ?? {};
    if (!isSigned(key, `tradewind audit head 1\n${seq}\n${hash}\n${at}`, signature))
      throw new Broken(`line ${index + 1} of the heads is not signed by the key that is believed`);
    const other = heads.get(seq);
    if (other && other.hash !== hash)
      throw new Broken(
        `the heads of ${other.at} and ${at} contradict each other about event ${seq}: the chain was rolled back`,
      );
    heads.set(seq, { hash, at });
  }
  return { heads, cutOff };
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

function jsonOf(line) {
  try {
    return { isWhole: true, value: JSON.parse(line) };
  } catch {
    return { isWhole: false };
  }
}

function parsed(line, number) {
  const { value } = jsonOf(line);
  if (value !== null && typeof value === "object") return value;
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

/** What is held against the signed heads while the export is read. */
function headCheck(heads) {
  let compared = 0;
  return {
    compared: () => compared,
    event({ seq, hash }) {
      const head = heads.get(seq);
      if (head === undefined) return;
      if (head.hash !== hash)
        throw new Broken(
          `event ${seq} contradicts the head that was signed at ${head.at}: the chain was rolled back or rewritten`,
        );
      compared += 1;
    },
    /** A head that was signed before the export was made lies within the chain that there was then. */
    end({ length, madeAt }) {
      for (const [seq, { at }] of heads)
        if (length !== undefined && at < madeAt && BigInt(seq) > BigInt(length))
          throw new Broken(
            `event ${BigInt(length) + 1n} and all after it are gone: a head of event ${seq} was signed at ${at}, the chain was rolled back`,
          );
    },
  };
}

function checkEnd({ head, end, expected, previous, digest, auditKey, key }) {
  if (head === null) throw new Broken("the file is empty");
  if (end === null || expected !== BigInt(head.to) + 1n)
    throw new Broken(`event ${expected} and all after it are cut off`);
  if (end.hash !== previous) throw new Broken("the end of the export is not that of its last event");
  const { from, to, madeAt, length } = head;
  const ends = `export|${from}|${to}|${head.previous}|${end.hash}|${madeAt}`;
  const areChanged = new Broken("the ends of the export are not as they were made");
  if (auditKey !== null && end.proof !== keyed(auditKey, ends)) throw areChanged;
  const said = [from, to, head.previous, end.hash, madeAt, length, digest, end.isWhole];
  if (key === null || (auditKey !== null && end.signature === undefined)) return;
  if (!isSigned(key, ["tradewind audit export 1", ...said].join("\n"), end.signature))
    throw new Broken("the export is not as this key signed it");
  if (end.isWhole !== true) throw new Broken("the installation itself found an event that was not as it was written");
}

/** Reads the export line by line; what it holds is never in memory at once. */
async function verify(file, { auditKey, key, heads }) {
  let [head, end, number] = [null, null, 0];
  let [expected, previous] = [0n, ""];
  const digest = createHash("sha256");
  const against = headCheck(heads);
  for await (const line of linesOf(file)) {
    number += 1;
    const value = parsed(line, number);
    if (end !== null) throw new Broken("there is more behind the end of the export");
    if (head !== null && value.kind === "end") {
      end = value;
      continue;
    }
    digest.update(`${line}\n`);
    if (head === null) {
      checkHead(value);
      head = value;
      [expected, previous] = [BigInt(head.from), head.previous];
    } else {
      checkEvent(auditKey, value, expected, previous);
      against.event(value);
      [expected, previous] = [expected + 1n, value.hash];
    }
  }
  checkEnd({ head, end, expected, previous, digest: digest.digest("hex"), auditKey, key });
  against.end(head);
  const rows = Number(expected - BigInt(head.from));
  return {
    what: `${rows} events (${head.from} to ${head.to}), exported ${head.madeAt}`,
    compared: against.compared(),
    signer: end.key,
  };
}

const auditKey = process.env.AUDIT_KEY || null;
try {
  const { positionals, values } = parseArgs({
    options: { key: { type: "string" }, heads: { type: "string" } },
    allowPositionals: true,
  });
  const [file] = positionals;
  if (file === undefined) throw new Error(USE);
  const key = values.key ?? (auditKey === null ? null : publicKeyOf(auditKey));
  if (values.heads !== undefined && key === null) throw new Error(`Signed heads need a key to believe. ${USE}`);
  const { heads, cutOff } = values.heads === undefined ? { heads: new Map(), cutOff: 0 } : readHeads(values.heads, key);
  const { what, compared, signer } = await verify(file, { auditKey, key, heads });
  const agreed =
    values.heads === undefined
      ? ""
      : ` It agrees with ${compared} of ${heads.size} signed heads; the others lie outside of it.${cutOff === 0 ? "" : ` Lines of the heads that are cut off and were not compared: ${cutOff}.`}`;
  if (auditKey !== null) console.log(`Whole: ${what}. Every event is as it was written.${agreed}`);
  else if (key !== null)
    console.log(
      `Signed: ${what}. The file is as the installation signed it, and by its word every event was as it was written then.${agreed}`,
    );
  else {
    console.log(
      `Linked: ${what}. Without AUDIT_KEY or the public key an edited event cannot be told from a true one (signed by ${signer ?? "no key"}).`,
    );
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
