import { chmod, mkdir, open, readFile } from "node:fs/promises";
import path from "node:path";
import * as z from "zod";
import { anchorFile, appendLine } from "./anchors.ts";
import { erasureProof } from "./chain.ts";

/** The erasure of a user, kept outside of the database because a restored backup holds the user again. The id alone identifies no person. */
export interface Erasure {
  userId: string;
  at: Date;
}

const line = z.object({
  userId: z.uuid(),
  at: z.iso.datetime().transform((text) => new Date(text)),
  proof: z.string(),
});

/** Beside the signed heads; null where none are kept. */
export function erasureListFile(): string | null {
  const anchors = anchorFile();
  return anchors === null ? null : path.join(path.dirname(anchors), "erasures.ndjson");
}

/** An empty list means that no user was erased; without a file it is not known. */
export async function startErasureList(file: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await (await open(file, "a", 0o600)).close();
  await chmod(file, 0o600);
}

export function addErasure(file: string, { userId, at }: Erasure): Promise<void> {
  return appendLine(file, JSON.stringify({ userId, at: at.toISOString(), proof: erasureProof(userId, at) }));
}

/** `unreadable`: lines that this installation did not write, or not to their end. */
export async function readErasureList(file: string): Promise<{ erasures: Erasure[]; unreadable: number }> {
  const lines = (await readFile(file, "utf8")).split("\n").filter((text) => text !== "");
  const erasures = lines.map(erasureOf).filter((erasure) => erasure !== null);
  return { erasures, unreadable: lines.length - erasures.length };
}

function erasureOf(text: string): Erasure | null {
  try {
    const { proof, ...erasure } = line.parse(JSON.parse(text));
    return proof === erasureProof(erasure.userId, erasure.at) ? erasure : null;
  } catch {
    return null;
  }
}
