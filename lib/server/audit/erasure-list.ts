import { chmod, mkdir, open, readFile } from "node:fs/promises";
import path from "node:path";
import * as z from "zod";
import { anchorFile, appendLine } from "./anchors.ts";
import { erasureProof, removalProof } from "./chain.ts";

/** The erasure of a user, kept outside of the database because a restored backup holds the user again. The id alone identifies no person. */
export interface Erasure {
  userId: string;
  at: Date;
}

/** An account that was removed: a restored backup would trade for it again. */
export interface Removal {
  accountId: string;
  at: Date;
}

export interface ErasureList {
  erasures: Erasure[];
  removals: Removal[];
  /** Lines that this installation did not write, or not to their end. */
  unreadable: number;
}

const common = { at: z.iso.datetime().transform((text) => new Date(text)), proof: z.string() };
const line = z.union([
  z.strictObject({ userId: z.uuid(), ...common }),
  z.strictObject({ accountId: z.uuid(), ...common }),
]);

/** Beside the signed heads; null where none are kept. */
export function erasureListFile(): string | null {
  const anchors = anchorFile();
  return anchors === null ? null : path.join(path.dirname(anchors), "erasures.ndjson");
}

/** An empty list means that no user was erased and no account removed; without a file it is not known. */
export async function startErasureList(file: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await (await open(file, "a", 0o600)).close();
  await chmod(file, 0o600);
}

export function addErasure(file: string, { userId, at }: Erasure): Promise<void> {
  return appendLine(file, JSON.stringify({ userId, at: at.toISOString(), proof: erasureProof(userId, at) }));
}

export function addRemoval(file: string, { accountId, at }: Removal): Promise<void> {
  return appendLine(file, JSON.stringify({ accountId, at: at.toISOString(), proof: removalProof(accountId, at) }));
}

export async function readErasureList(file: string): Promise<ErasureList> {
  const list: ErasureList = { erasures: [], removals: [], unreadable: 0 };
  for (const text of (await readFile(file, "utf8")).split("\n")) {
    if (text === "") continue;
    const known = provenLine(text);
    if (known === null) list.unreadable += 1;
    else if ("userId" in known) list.erasures.push(known);
    else list.removals.push(known);
  }
  return list;
}

function provenLine(text: string): Erasure | Removal | null {
  try {
    const { proof, ...known } = line.parse(JSON.parse(text));
    const expected = "userId" in known ? erasureProof(known.userId, known.at) : removalProof(known.accountId, known.at);
    return proof === expected ? known : null;
  } catch {
    return null;
  }
}
