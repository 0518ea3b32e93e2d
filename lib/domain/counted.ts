import { countText } from "./format.ts";

/** A count with its noun: "1 position", "2 positions", "5,200 stocks". */
export function counted(count: number, noun: string): string {
  return `${countText(count)} ${noun}${count === 1 ? "" : "s"}`;
}
