/** How far back the broker's lists are read. */
import { WATERMARK_OVERLAP_MS } from "./settings.ts";

/** Market time from which a list is read again; null reads all of it. */
export function readFromMs(watermarkMs: number | null): number | null {
  return watermarkMs === null ? null : watermarkMs - WATERMARK_OVERLAP_MS;
}
