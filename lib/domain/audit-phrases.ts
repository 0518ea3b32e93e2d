/** Phrases of the audit trail's sentences, made of the facts that an event keeps. */
import { REASON_TEXT } from "./engine/reasons.ts";
import { counted } from "./counted.ts";
import { dateText, easternText, priceText } from "./format.ts";

/** The facts of an event as the trail keeps them: any JSON. */
export type AuditFacts = Record<string, unknown>;

/** A fact that is text or a number, else nothing. */
export function fact(facts: AuditFacts, name: string): string | null {
  const value = facts[name];
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : null;
}

/** "3 Feb 2020"; a fact that is no date is shown as it is. */
export function sessionOf(facts: AuditFacts, name: string): string {
  const session = fact(facts, name);
  if (session === null) return "a session";
  return /^\d{4}-\d\d-\d\d$/.test(session) ? dateText(session) : session;
}

/** An instant in the market's zone; what is none is shown as it is. */
const instantText = (given: string) => (Number.isNaN(Date.parse(given)) ? given : easternText(given));

/** ": why", or nothing. */
export function because(facts: AuditFacts, name = "reason"): string {
  const why = fact(facts, name);
  return why === null ? "" : `: ${reasonText(why).replace(/\.$/, "")}`;
}

const reasonText = (reason: string) => (REASON_TEXT as Record<string, string>)[reason] ?? reason;

/** "buy 10 AAPL"; as much of it as is known. */
export function order(facts: AuditFacts): string | null {
  const [side, qty, symbol] = [fact(facts, "side"), fact(facts, "qty"), fact(facts, "symbol")];
  if (side === null || symbol === null) return null;
  return [side.toLowerCase(), qty, symbol].filter((part) => part !== null).join(" ");
}

/** A protective order sells nothing when it is sent: it is described as the stop that it is. Null for any other order. */
function protection(
  facts: AuditFacts,
): { isRaise: boolean; shares: string; symbol: string; level: string | null } | null {
  const [qty, symbol, price] = [fact(facts, "qty"), fact(facts, "symbol"), fact(facts, "stopPrice")];
  if (fact(facts, "purpose") !== "PROTECT" || symbol === null) return null;
  return {
    isRaise: fact(facts, "decidedFor") === "trailing_stop",
    shares: qty === null ? symbol : `${qty} ${symbol}`,
    symbol,
    level: price === null ? null : priceText(price),
  };
}

/** "Placed a stop for 17 BA at $332.55", "Raised the stop of BA to $332.55"; null for an order that protects nothing. */
function protecting(facts: AuditFacts, place: string, raise: string): string | null {
  const stop = protection(facts);
  if (stop === null) return null;
  const { isRaise, shares, symbol, level } = stop;
  if (isRaise) return `${raise} the stop of ${symbol}${level === null ? "" : ` to ${level}`}`;
  return `${place} a stop for ${shares}${level === null ? "" : ` at ${level}`}`;
}

export function decided(facts: AuditFacts): string {
  const isRefused = fact(facts, "status") === "DENIED";
  const stop = isRefused
    ? protecting(facts, "Refused to place", "Refused to raise")
    : protecting(facts, "Decided to place", "Decided to raise");
  if (stop !== null) return isRefused ? `${stop}${because(facts)}` : stop;
  return `${isRefused ? "Refused to" : "Decided to"} ${order(facts) ?? "trade"}${because(facts)}`;
}

export function answered(facts: AuditFacts): string {
  const status = fact(facts, "status") ?? "";
  const stop = status === "LIVE" ? protecting(facts, "Placed", "Raised") : null;
  return stop ?? `${theOrder(facts)} ${ANSWERED[status] ?? "was answered by the broker"}${because(facts)}`;
}

/** "The order to buy 10 AAPL", "The stop for 17 BA at $332.55" */
export function theOrder(facts: AuditFacts): string {
  const stop = protection(facts);
  if (stop !== null)
    return `The ${stop.isRaise ? "raised " : ""}stop for ${stop.shares}${stop.level === null ? "" : ` at ${stop.level}`}`;
  const what = order(facts);
  return what === null ? "An order" : `The order to ${what}`;
}

/** "the stop of AAPL from $90.00 to $95.00" */
export function theStop(facts: AuditFacts): string {
  const [symbol, from, to] = [fact(facts, "symbol"), fact(facts, "stopBefore"), fact(facts, "stopPrice")];
  const level = (word: string, price: string | null) => (price === null ? "" : ` ${word} ${priceText(price)}`);
  return `the stop${symbol === null ? "" : ` of ${symbol}`}${level("from", from)}${level("to", to)}`;
}

/** "Set the speed of the practice market from 60× to 10×" */
export function practiceClock(facts: AuditFacts): string {
  const [before, after] = [facts.before, facts.after].map((state) => (state ?? {}) as AuditFacts) as [
    AuditFacts,
    AuditFacts,
  ];
  switch (facts.action) {
    case "speed":
      return `Set the speed of the practice market from ${fact(before, "speed") ?? "?"}× to ${fact(after, "speed") ?? "?"}×`;
    case "pause":
      return "Paused the practice market";
    case "continue":
      return "Resumed the practice market";
    case "skip":
      return `Skipped to the practice market's next opening${fact(after, "now") === null ? "" : `, ${instantText(fact(after, "now") ?? "")}`}`;
    default:
      return "Changed the clock of the practice market";
  }
}

const FACTORS: Record<string, string> = {
  totp: "an authenticator app",
  passkey: "a passkey",
  all: "every second factor and recovery code",
};

export const factor = (facts: AuditFacts) => FACTORS[fact(facts, "kind") ?? ""] ?? "a second factor";

/** What an order is after the broker's answer; other states are told by their name. */
export const ANSWERED: Record<string, string> = {
  LIVE: "was accepted by the broker",
  FILLED: "was filled",
  CANCELED: "was cancelled",
  REJECTED: "was rejected by the broker",
  EXPIRED: "expired",
  HALTED: "was stopped",
  UNKNOWN: "got no clear answer; the broker is asked what became of it",
  PARKED: "is parked: its outcome is not settled yet",
};

const KILL_LABELS: Record<string, string> = {
  NONE: "trades normally",
  NO_NEW_ENTRIES: "buys nothing new",
  REDUCE_ONLY: "only reduces its positions",
  FLATTEN: "sells everything it holds",
};

/** Facts about how something was changed. */
const BESIDE = new Set(["by", "reason", "accessTokenId", "accessTokenEnd"]);

/** "profitTarget" → "profit target" */
const plainName = (name: string) => name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);

export function changedFields(facts: AuditFacts): string {
  const names = Object.keys(facts).filter((name) => !BESIDE.has(name));
  return names.length === 0 ? "" : `: ${names.map(plainName).join(", ")}`;
}

export function killText(who: string): (facts: AuditFacts) => string {
  return (facts) => `${who} ${KILL_LABELS[fact(facts, "to") ?? ""] ?? "changed how it trades"}${because(facts)}`;
}

/** What a test of the providers found. */
export function tested({ notWorking, configured }: AuditFacts): string {
  if (Array.isArray(notWorking) && notWorking.length > 0) return `${notWorking.join(", ")} did not work`;
  return configured === 0 ? "none is configured" : "all configured ones work";
}

export const named = (what: string, name: string | null) => (name === null ? what : `${what} ${name}`);

/** "the feature flag new-charts in production" */
export const flag = (facts: AuditFacts) => {
  const environment = fact(facts, "environment");
  const what = named("the feature flag", fact(facts, "name"));
  return environment === null ? what : `${what} in ${environment}`;
};

/** With access that was granted, instead of pasted keys. */
export const isGranted = (facts: AuditFacts) => fact(facts, "access") === "OAUTH";

export const where = (facts: AuditFacts) =>
  fact(facts, "broker") === "PRACTICE"
    ? " on the practice market"
    : ` at Alpaca (${fact(facts, "environment") ?? "?"})`;

/** What a watchdog could do while no worker ran: accounts whose broker did not answer are no checked ones. */
export function outageText({ accounts, found }: AuditFacts): string {
  const rows = (Array.isArray(found) ? found : []) as { problem?: unknown; notCancelled?: unknown }[];
  const missed = rows.filter(({ problem }) => typeof problem === "string").length;
  const refused = rows.filter(({ notCancelled }) => Array.isArray(notCancelled) && notCancelled.length > 0).length;
  const begins = "While no trading worker ran, ";
  if (missed > 0 && missed === accounts) return `${begins}none of the ${counted(missed, "account")} could be checked`;
  return [
    `${begins}open entry orders were cancelled and held shares were checked for their stops`,
    ...(missed > 0 ? [`${counted(missed, "account")} could not be checked`] : []),
    ...(refused > 0 ? [`not every entry order was cancelled in ${counted(refused, "account")}`] : []),
  ].join("; ");
}
