import { Failure } from "@/lib/domain/failures.ts";

/** A place in a list that is ordered by a time and, where two are the same, by id. Callers hand it back as it is. */
export interface TimeCursor {
  at: Date;
  id: string;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function writeCursor({ at, id }: TimeCursor): string {
  return Buffer.from(`${at.toISOString()}|${id}`).toString("base64url");
}

/** Throws `invalid_input` on text that no list gave. */
export function readCursor(cursor: string): TimeCursor {
  const [at = "", id = ""] = Buffer.from(cursor, "base64url").toString().split("|");
  const date = new Date(at);
  // Years that Postgres has none of are none of ours.
  if (!(date.getUTCFullYear() >= 1900 && date.getUTCFullYear() <= 9999) || !UUID.test(id)) {
    const message = "This page cannot be found. Load the list again.";
    throw new Failure("invalid_input", message, { issues: [{ path: "cursor", message }] });
  }
  return { at: date, id };
}
