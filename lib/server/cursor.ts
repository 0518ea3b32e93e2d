import { Failure } from "@/lib/domain/failures.ts";

/** A place in a list that is ordered by a time and, where two are the same, by id. Callers hand it back as it is. */
export interface TimeCursor {
  at: Date;
  id: string;
}

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function writeCursor({ at, id }: TimeCursor): string {
  return Buffer.from(`${at.toISOString()}|${id}`).toString("base64url");
}

/** Whether a text is a time as cursors hold it. Days and years that Postgres has none of are none of ours. */
export function isCursorTime(text: string): boolean {
  const date = new Date(text);
  const year = date.getUTCFullYear();
  return year >= 1900 && year <= 9999 && date.toISOString() === text;
}

/** Throws `invalid_input` on text that no list gave. */
export function readCursor(cursor: string): TimeCursor {
  const [at = "", id = ""] = Buffer.from(cursor, "base64url").toString().split("|");
  if (!isCursorTime(at) || !UUID.test(id)) throw noSuchPage();
  return { at: new Date(at), id };
}

export function noSuchPage(): Failure {
  const message = "This page cannot be found. Load the list again.";
  return new Failure("invalid_input", message, { issues: [{ path: "cursor", message }] });
}
