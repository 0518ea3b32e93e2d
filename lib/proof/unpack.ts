import { gunzipSync, inflateRawSync } from "node:zlib";

/** The text of an answer: what stands in a compressed file left the server like any other. */
export function unpack(bytes: Buffer): string {
  if (bytes.subarray(0, 2).equals(Buffer.from([0x1f, 0x8b]))) return gunzipSync(bytes).toString("utf8");
  if (bytes.subarray(0, 2).toString("latin1") !== "PK") return bytes.toString("utf8");
  return [...filesOf(bytes)].join("\n");
}

const CENTRAL_ENTRY = Buffer.from("PK\x01\x02", "latin1");

/** The names and contents of a zip archive's files, found through its directory at the end. */
function* filesOf(zip: Buffer): Generator<string> {
  for (let at = zip.indexOf(CENTRAL_ENTRY); at >= 0; at = zip.indexOf(CENTRAL_ENTRY, at + 4)) {
    const isDeflated = zip.readUInt16LE(at + 10) === 8;
    const size = zip.readUInt32LE(at + 20);
    const nameLength = zip.readUInt16LE(at + 28);
    const local = zip.readUInt32LE(at + 42);
    const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const content = zip.subarray(from, from + size);
    yield zip.toString("utf8", at + 46, at + 46 + nameLength);
    yield (isDeflated ? inflateRawSync(content) : content).toString("utf8");
  }
}
