import { mkdir, open, readFile, type FileHandle } from "node:fs/promises";
import path from "node:path";
import { env } from "../env.ts";
import { headLine, headOfLine, type SignedHead } from "./signed-head.ts";

/** More than a line has. */
const TAIL_BYTES = 4_096;

/** Signed heads kept outside of the database: who rewrites the chain there does not reach them here. */
export interface Anchors {
  heads: SignedHead[];
  /** Lines that are no head signed by this installation: cut off by a crash, or changed. */
  unreadable: number;
}

/** Null where none are kept: neither AUDIT_ANCHOR_FILE nor DATA_DIR is given. */
export function anchorFile(): string | null {
  const { AUDIT_ANCHOR_FILE, DATA_DIR } = env();
  return AUDIT_ANCHOR_FILE ?? (DATA_DIR === undefined ? null : path.join(DATA_DIR, "audit-heads.ndjson"));
}

/** All anchored heads, the lowest first. Read before the chain is: a head that is anchored meanwhile is not missed in it. */
export async function readAnchors(file = anchorFile()): Promise<Anchors> {
  const text = file === null ? "" : await readFile(file, "utf8").catch(emptyWhereAbsent);
  const lines = text.split("\n").filter((line) => line !== "");
  const heads = lines.map(headOfLine).filter((head) => head !== null);
  heads.sort((a, b) => Number(a.seq - b.seq));
  return { heads, unreadable: lines.length - heads.length };
}

function emptyWhereAbsent(error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT") return "";
  throw error;
}

/** The head that was anchored last. */
export async function lastAnchor(file = anchorFile()): Promise<SignedHead | null> {
  const handle = file === null ? null : await open(file, "r").catch((error) => (emptyWhereAbsent(error), null));
  if (handle === null) return null;
  try {
    const lines = (await tailOf(handle)).split("\n").reverse();
    for (const line of lines) {
      const head = headOfLine(line);
      if (head) return head;
    }
    return null;
  } finally {
    await handle.close();
  }
}

async function tailOf(handle: FileHandle): Promise<string> {
  const { size } = await handle.stat();
  const buffer = Buffer.alloc(Math.min(size, TAIL_BYTES));
  await handle.read(buffer, 0, buffer.length, size - buffer.length);
  return buffer.toString("utf8");
}

export const appendAnchor = (file: string, head: SignedHead): Promise<void> => appendLine(file, headLine(head));

/** Whole on the disk when it returns. */
export async function appendLine(file: string, line: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const handle = await open(file, "a+", 0o600);
  try {
    const tail = await tailOf(handle);
    // A line that a crash cut off must not swallow this one.
    const before = tail === "" || tail.endsWith("\n") ? "" : "\n";
    await handle.appendFile(`${before}${line}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
