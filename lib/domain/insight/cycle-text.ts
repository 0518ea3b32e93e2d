import type { PlannedOrder } from "../engine/plan.ts";
import { countText } from "../format.ts";
import { readCycleLine } from "./read-cycle-line.ts";
import { reasonTexts } from "./reason-groups.ts";
import { counted } from "../counted.ts";

/** More reasons than these are read on the decision's page. */
const MOST_REASONS = 3;

/** What the orders of a decision that are no purchases are for. */
function otherOrders(orders: readonly Pick<PlannedOrder, "purpose">[]): string[] {
  const protective = orders.filter(({ purpose }) => purpose === "PROTECT").length;
  const sales = orders.filter(({ purpose }) => purpose !== "PROTECT" && purpose !== "ENTRY").length;
  return [
    ...(sales === 0 ? [] : [`${counted(sales, "sale")} ordered.`]),
    ...(protective === 0 ? [] : [`${counted(protective, "protective order")} placed.`]),
  ];
}

/**
 * The recorded line of a decision in the log's words: "Looked at 503 stocks: 50 in the Top-50, 7 would buy, none ordered. 4 stocks
 * wait for a free place: all are taken." What is no such line stays as it is. The line counts purchases, sales and protective orders
 * together: only with the orders themselves is told what they are.
 */
export function cycleText(line: string, orders: readonly Pick<PlannedOrder, "purpose">[] | null): string {
  const says = readCycleLine(line);
  if (says === null) return line;
  const { screened, seated, signals } = says;
  const purchases = orders === null ? says.orders : orders.filter(({ purpose }) => purpose === "ENTRY").length;
  const ordered =
    orders === null && purchases > 0
      ? `${counted(purchases, "order")} in all`
      : `${purchases === 0 ? "none" : countText(purchases)} ordered`;
  const counts = [
    `${countText(seated)} in the Top-50`,
    `${signals === 0 ? "none" : countText(signals)} would buy`,
    ...(signals === 0 && purchases === 0 ? [] : [ordered]),
  ];
  const reasons = reasonTexts(says);
  const left = reasons.length - MOST_REASONS;
  return [
    `Looked at ${countText(screened)} ${screened === 1 ? "stock" : "stocks"}: ${counts.join(", ")}.`,
    ...otherOrders(orders ?? []),
    ...reasons.slice(0, MOST_REASONS).map((reason) => `${reason}.`),
    ...(left > 0 ? [`The decision names ${counted(left, "more reason")}.`] : []),
  ].join(" ");
}
