import { countText } from "../format.ts";
import { readCycleLine } from "./read-cycle-line.ts";
import { reasonTexts } from "./reason-groups.ts";
import { counted } from "./sentence-parts.ts";

/** More reasons than these are read on the decision's page. */
const MOST_REASONS = 3;

/**
 * The recorded line of a decision in the log's words: "Looked at 503 stocks: 50 in the Top-50, 7 would buy, none ordered. 4 stocks
 * wait for a calmer market." What is no such line stays as it is.
 */
export function cycleText(line: string): string {
  const says = readCycleLine(line);
  if (says === null) return line;
  const { screened, seated, signals, orders } = says;
  const counts = [
    `${countText(seated)} in the Top-50`,
    `${signals === 0 ? "none" : countText(signals)} would buy`,
    ...(signals === 0 && orders === 0 ? [] : [`${orders === 0 ? "none" : countText(orders)} ordered`]),
  ];
  const reasons = reasonTexts(says);
  const left = reasons.length - MOST_REASONS;
  return [
    `Looked at ${countText(screened)} ${screened === 1 ? "stock" : "stocks"}: ${counts.join(", ")}.`,
    ...reasons.slice(0, MOST_REASONS).map((reason) => `${reason}.`),
    ...(left > 0 ? [`The decision names ${counted(left, "more reason")}.`] : []),
  ].join(" ");
}
