import { randomBytes } from "node:crypto";

/** A UUID of version 7: the wall time in milliseconds, then chance. */
export function newId(at: Date): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(at.getTime(), 0, 6);
  bytes[6] = 0x70 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  return withHyphens(bytes.toString("hex"));
}

/** The wall time at which an id of version 7 was made. */
export const timeOfId = (id: string): Date => new Date(Number.parseInt(id.replace("-", "").slice(0, 12), 16));

/** Not one of an id: no id of that time or later comes before it. */
export const firstIdAt = (at: Date): string => withHyphens(at.getTime().toString(16).padStart(12, "0").padEnd(32, "0"));

const withHyphens = (hex: string) =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
