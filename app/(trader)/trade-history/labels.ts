import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { tradesApi } from "@/lib/contracts/trades.ts";

export type Trade = Answer<typeof tradesApi.list>["trades"][number];
export type TradeDetail = Answer<typeof tradesApi.read>;

/** A trade that is not final yet changes while it is looked at. */
export const TRADE_POLL_MS = 10_000;

export const ROLE: Record<TradeDetail["order"]["role"], string> = {
  ENTRY: "Entry",
  EXIT: "Exit",
  STOP: "Protective stop",
  TARGET: "Profit target",
  EXTERNAL: "Placed elsewhere",
};

const ORDER_LABELS: Record<string, string> = {
  day: "Day",
  gtc: "Good till cancelled",
  opg: "At the open",
  cls: "At the close",
  ioc: "Immediate or cancel",
  fok: "Fill or kill",
};

/** "STOP_LIMIT" → "Stop limit"; terms of the broker's that have a name get it. */
export function orderLabel(term: string): string {
  const known = ORDER_LABELS[term];
  if (known !== undefined) return known;
  const lower = term.toLowerCase().replaceAll("_", " ");
  return lower.slice(0, 1).toUpperCase() + lower.slice(1);
}

const CLASS_LABELS: Record<string, string> = {
  SIMPLE: "alone",
  BRACKET: "with target and stop",
  OCO: "one cancels the other",
  OTO: "one triggers the other",
};

export const orderClassLabel = (term: string): string => CLASS_LABELS[term] ?? term.toLowerCase();
