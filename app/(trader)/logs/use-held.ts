"use client";
import { useState } from "react";

/**
 * What is read does not move: while `isReading`, the rows stay as they were when reading began, however much comes in. Rows
 * of another `key` (a page, a filter of the server) are always the newest.
 */
export function useHeld<T>(key: string, latest: T, isReading: boolean): T {
  const [held, setHeld] = useState<{ key: string; rows: T } | null>(null);
  if (isReading && held?.key !== key) {
    const rows = { key, rows: latest };
    setHeld(rows);
    return latest;
  }
  if (!isReading && held !== null) setHeld(null);
  return isReading && held !== null ? held.rows : latest;
}
